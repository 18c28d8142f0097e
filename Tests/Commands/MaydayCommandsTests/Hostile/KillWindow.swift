import Glibc
import TestSupport

/// When processes are killed: at random instants of the time that they live, which is found out on the
/// way, for it changes with what else the machine does.
struct KillWindow {
  private var length: Double
  private var random: SplitMix
  /// How many were still alive.
  private(set) var killed = 0

  /// - Parameter length: How long one lived, in seconds.
  init(_ length: Double, seed: UInt64) {
    self.length = length * 1.1
    random = SplitMix(seed: seed)
  }

  /// Lets some time pass, kills the processes and waits for their ends.
  mutating func kill(_ runs: BackgroundRun...) { kill(runs) }

  mutating func kill(_ runs: [BackgroundRun]) {
    usleep(UInt32(Double.random(in: 0...length, using: &random) * 1e6))
    for run in runs {
      run.kill()
      let wasAlive = run.wait() == 128 + SIGKILL
      if wasAlive { killed += 1 }
      // About two of three are met alive, and any instant may be the one.
      length *= wasAlive ? 1.1 : 0.8
    }
  }
}
