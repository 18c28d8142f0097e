"""Where the project and the programs that it builds are."""
import os

from shared.smoke import IS_SMOKE

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAYDAY = os.path.join(ROOT, ".build/release/mayday")
MAYDAY_BENCH = os.path.join(ROOT, ".build/release/mayday-bench")
# Inputs and peers that are fetched or built.
BENCH = os.path.join(ROOT, ".build/smoke" if IS_SMOKE else ".bench")
