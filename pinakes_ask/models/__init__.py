"""What serves the language-model seam."""
