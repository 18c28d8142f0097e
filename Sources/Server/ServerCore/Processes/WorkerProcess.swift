internal import Bytes
internal import ChildProcess
internal import CrashService
package import CrashStore
internal import Dispatch
internal import Files
internal import Glibc
package import Pipeline
package import ServerStore
internal import Synchronization

/// The process that stores submissions: this program again, so that a crash in it takes no request down. It
/// starts when there is work and ends after a while without any; if killed, it is restarted.
package final class WorkerProcess: Sendable {
  private let home: String
  /// The settings, which may change while it runs.
  private let settings: Mutex<Settings>
  private let store: CrashStore
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let bell = WorkNotifier()
  private let isGone = DispatchSemaphore(value: 0)
  private let hasToStop = DispatchSemaphore(value: 0)

  private struct Settings {
    var threads: Int?
    var limits: SubmissionLimits
    var queue: IntakeQueue
  }

  private var queue: IntakeQueue { settings.withLock { $0.queue } }

  private struct State {
    var process: ChildProcess?
    var isStopping = false
  }

  /// Seconds before a worker that died at once is restarted; doubled each time.
  private static let pauses = 1...60
  /// Seconds between two checks whether others left work: a command that works on the home, or a server that
  /// has ended.
  private static let patience = 1
  /// The number of checks without work after which submissions held by dead workers are taken back.
  private static let quietLooks = 30

  package init(
    home: String, threads: Int?, limits: SubmissionLimits, queue: IntakeQueue, store: CrashStore,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.home = home
    settings = Mutex(Settings(threads: threads, limits: limits, queue: queue))
    self.store = store
    self.warn = warn
  }

  package func start() {
    DispatchQueue(label: "worker").async { self.keepRunning() }
  }

  /// Reports that there is work.
  package func wake() { bell.ring() }

  /// Restarts the process with other options after its current work.
  package func reload(threads: Int?, limits: SubmissionLimits, queue: IntakeQueue) {
    settings.withLock { $0 = Settings(threads: threads, limits: limits, queue: queue) }
    state.withLock { $0.process?.send(SIGHUP) }
  }

  /// Lets the worker finish its current work.
  package func stop(within seconds: Int) {
    let isRunning = state.withLock { state in
      state.isStopping = true
      bell.close()
      return state.process != nil
    }
    bell.endWait()
    hasToStop.signal()
    guard isRunning else { return }
    if isGone.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
      // Its submissions go back to the queue.
      state.withLock { $0.process?.send(SIGKILL) }
      _ = isGone.wait(timeout: .now() + .seconds(5))
    }
  }

  private func keepRunning() {
    var pause = Self.pauses.lowerBound
    while waitForWork() {
      let started = SteadyClock.seconds
      let process: ChildProcess
      do throws(FileError) {
        process = try spawn()
      } catch {
        warn("the worker process cannot be started: \(error.reason)")
        rest(pause)
        pause = min(pause * 2, Self.pauses.upperBound)
        continue
      }
      let status = process.wait()
      let isStopping = state.withLock { state in
        state.process = nil
        bell.close()
        return state.isStopping
      }
      if isStopping {
        isGone.signal()
        return
      }
      // It had nothing to do for a while. Work that arrived since is found here.
      if status.code == 0 {
        pause = Self.pauses.lowerBound
        continue
      }
      do {
        let back = try queue.reclaim()
        warn(
          "the worker process ended (\(Self.cause(status))); \(back.takenBack) submissions"
            + " are back in the queue, \(back.quarantined) of them quarantined")
      } catch {
        warn("\(error)")
      }
      pause =
        SteadyClock.seconds - started > 60
        ? Self.pauses.lowerBound : min(pause * 2, Self.pauses.upperBound)
      rest(pause)
    }
  }

  /// Waits for `seconds`, or until it is time to stop.
  private func rest(_ seconds: Int) {
    guard !state.withLock({ $0.isStopping }) else { return }
    _ = hasToStop.wait(timeout: .now() + .seconds(seconds))
  }

  /// - Returns: `false` if it is time to stop.
  private func waitForWork() -> Bool {
    var looks = 0
    while !state.withLock({ $0.isStopping }) {
      // On an error, the worker is started: it reports the error and tries again.
      if (try? hasWork(look: looks)) ?? true { return true }
      looks += 1
      if bell.wait(seconds: Self.patience) {
        return !state.withLock { $0.isStopping }
      }
    }
    return false
  }

  private func hasWork(look: Int) throws -> Bool {
    if try queue.counts().waiting > 0 || store.reports.waitingCount() > 0
      || store.groups.canSettle()
    {
      return true
    }
    return try look % Self.quietLooks == Self.quietLooks - 1 && queue.reclaim().takenBack > 0
  }

  private static func cause(_ status: ExitStatus) -> String {
    status.signal.map { "signal \($0)" } ?? "exit \(status.code ?? 0)"
  }

  private func spawn() throws(FileError) -> ChildProcess {
    let pipe = try OpenFile.pipe()
    _ = fcntl(pipe.writing.number, F_SETFL, O_NONBLOCK)
    let (threads, limits, queue) = settings.withLock { ($0.threads, $0.limits, $0.queue) }
    var words = ["mayday", ServerChildren.worker, "--home", home]
    if let threads { words += ["--threads", "\(threads)"] }
    words += ["--quarantined", "\(queue.limits.quarantined)"]
    words += ["--quarantined-bytes", "\(queue.limits.quarantinedBytes)B"]
    words += ["--max-report", "\(queue.limits.report)B"]
    words += ["--submission-reports", "\(limits.reports)"]
    words += ["--submission-files", "\(limits.members)"]
    words += ["--submission-archives", "\(limits.archives)"]
    words += ["--submission-bytes", "\(limits.bytes)B"]
    if let reserve = queue.limits.reserve { words += ["--disk-reserve", "\(reserve)B"] }
    // Terminal signals are for the server, which notifies the worker.
    let process = try ChildProcess(
      words, input: pipe.reading.number, surroundings: .inheritedOutsideGroup)
    let bellRope = pipe.writing.take()
    state.withLock { state in
      state.process = process
      bell.attach(bellRope)
      if state.isStopping { bell.close() }
    }
    return process
  }
}
