"""What is answered: people, countries, tools, and records of schemas nobody knew."""
