"""Game protection: what someone who knows the cards gone can gain, exactly or at most."""
