"""Whether a call kept its contract, and what contracts say of places while code runs."""
