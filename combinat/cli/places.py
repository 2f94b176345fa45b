"""Places to write to, as the commands check them."""

from combinat.base.output_paths import refuse_inputs, refuse_inside, refuse_no_folder

__all__ = ["refuse_inputs", "refuse_inside", "refuse_no_folder"]
