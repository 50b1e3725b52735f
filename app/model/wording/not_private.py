"""What is said wherever a release promises no privacy at all."""

from engine.mechanisms.histograms.exact import WHY_NOT_PRIVATE

NOT_PRIVATE = f"{WHY_NOT_PRIVATE[0].upper()}{WHY_NOT_PRIVATE[1:]}."
WARNING = "Not private: exact counts leave the room."
FOR_OTHERS = "ε and δ are for comparing it with private ones."
NO_MORE = "no promise any more on this dataset: exact counts have left the room"
