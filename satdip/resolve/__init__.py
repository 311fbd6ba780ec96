"""From a verdict to a resolution: outcomes, dislodgements, retreats, winters, the next position."""
