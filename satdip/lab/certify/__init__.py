"""Certificates: what is so about a phase, with all that is needed to check it (`satdip.verifier` does)."""

from satdip.lab.certify.certificate import CLAIMS, Certificate, certify

__all__ = ["CLAIMS", "Certificate", "certify"]
