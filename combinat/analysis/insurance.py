"""The exact analysis of insurance: what follows from every state at which it is offered."""
