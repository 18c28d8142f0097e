import Glibc
import TestSupport

/// Times at which processes are killed: random instants of their lifetime, which is measured on the way,
/// since it depends on the load of the machine.
struct KillWindow {
  private var length: Double
  private var random: SplitMix
  /// The number of processes that were still alive.
  private(set) var killed = 0

  /// - Parameter length: Lifetime of one process in seconds.
  init(_ length: Double, seed: UInt64) {
    self.length = length * 1.1
    random = SplitMix(seed: seed)
  }

  /// Waits, kills the processes and waits for their ends.
  mutating func kill(_ runs: BackgroundRun...) { kill(runs) }

  mutating func kill(_ runs: [BackgroundRun]) {
    usleep(UInt32(Double.random(in: 0...length, using: &random) * 1e6))
    for run in runs {
      run.kill()
      let wasAlive = run.wait() == 128 + SIGKILL
      if wasAlive { killed += 1 }
      // About two of three are still alive, and any instant is possible.
      length *= wasAlive ? 1.1 : 0.8
    }
  }
}
