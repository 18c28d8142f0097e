import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Glibc
import Grouping
import Pipeline
import ServerCore
import ServerStore
import Synchronization
import Terminal
import Workers

/// `mayday work`, which `mayday serve` starts when there is work. It exits when standard input
/// closes, or after a while without work: an idle server is one process.
struct WorkCommand: Command {
  static let name = ServerChildren.worker
  static let summary = "Process what a server has received, until none is left or input ends."
  static let isHidden = true

  @Option("--threads", help: "Number of threads.", value: "N") var threads: Int?
  @Option("--quarantined", help: "How many submissions to keep in quarantine.", value: "N")
  var quarantined = 10_000
  @Option("--quarantined-bytes", help: "Disk space the quarantine may use.", value: "SIZE")
  var quarantinedBytes = ByteSize(2_000_000_000)
  @Option("--disk-reserve", help: "Disk space to keep free.", value: "SIZE")
  var reserve: ByteSize?
  @Option("--max-report", help: "The most bytes of a report.", value: "SIZE")
  var maxReport = ByteSize(IntakeLimits().report)
  @Option("--rest-after", help: "Exit after N seconds without work.", value: "N")
  var restAfter = 60
  @OptionGroup var submission = SubmissionOptions()
  @OptionGroup var home = HomeOptions()

  private static let isAskedToReload = Atomic(false)
  private static let niceness: Int32 = 10
  /// Size of the database's page cache: the worker leaves memory to others.
  private static let cacheBytes = 72 << 20
  /// Milliseconds to wait for a notification before checking for work.
  private static let patience: Int32 = 1_000
  /// Seconds to wait after an error, such as a full disk; doubled each time.
  private static let pauses = 1...15
  /// The number of checks without work before looking for what other workers have left.
  private static let quietLooks = 30

  func run() throws {
    // Processes that answer requests take precedence.
    _ = nice(Self.niceness)
    let console = Console(colour: .auto)
    // Its parent starts it again, with the options of that time.
    Self.isAskedToReload.store(false, ordering: .relaxed)
    signal(SIGHUP) { _ in WorkCommand.isAskedToReload.store(true, ordering: .relaxed) }
    let folder = try HomeOptions.folder(named: home.home)
    let store = try CrashStore(opening: folder, cacheBytes: Self.cacheBytes)
    let server = try ServerStore(opening: folder)
    var limits = IntakeLimits()
    limits.quarantined = quarantined
    limits.quarantinedBytes = quarantinedBytes.bytes
    limits.reserve = reserve?.bytes
    limits.report = maxReport.bytes
    let queue = IntakeQueue(in: server, limits: limits)
    var made: IntakeWorker?
    var pause = Self.pauses.lowerBound
    var looks = 0
    var lastWork = ContinuousClock.now
    while true {
      do {
        // Broken rules may be fixed meanwhile: it tries again, as in each step.
        let worker =
          try made
          ?? IntakeWorker(
            from: queue, of: server, into: store, signer: Signer(rules: .standard),
            limits: submission.limits, width: max(1, threads ?? Workers.processorCount))
        made = worker
        // The rest of the disk is for `gc`, which frees space.
        try queue.reserve.admitWork()
        if try worker.step().isNothing {
          looks += 1
          if looks % Self.quietLooks == 0 { try queue.reclaim() }
          // Its parent checks once more after it exits.
          let isOver = lastWork.duration(to: .now) >= .seconds(restAfter)
          if isOver || !waitForWork() { return try worker.finish() }
        } else {
          looks = 0
          lastWork = .now
          if isStopped { return try worker.finish() }
        }
        if Self.isAskedToReload.load(ordering: .relaxed) { return try worker.finish() }
        pause = Self.pauses.lowerBound
      } catch {
        if Self.isAskedToReload.load(ordering: .relaxed) { return }
        console.warn("\(error)".printable)
        for _ in 0..<pause where !waitForWork() { return }
        pause = min(pause * 2, Self.pauses.upperBound)
      }
    }
  }

  /// Whether standard input has ended.
  private var isStopped: Bool {
    var poll = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && !drain()
  }

  /// - Returns: `false` when it is time to stop.
  private func waitForWork() -> Bool {
    var poll = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, Self.patience) <= 0 || drain()
  }

  /// - Returns: `false` at the end.
  private func drain() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    return read(STDIN_FILENO, &bytes, bytes.count) != 0
  }
}
