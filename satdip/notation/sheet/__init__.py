"""Order sheets: headers, powers and their orders, order sets; reading and writing."""
