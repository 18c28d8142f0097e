import CrashStore
import Dispatch
import Glibc
import ServerStore
import Synchronization

/// The process that files what comes in: this program again, so that what brings it down takes no
/// request with it. It is started when there is work and ends when there was none for a while; killed,
/// it is started anew.
final class WorkerProcess: Sendable {
  private let home: String
  /// What may change while it runs.
  private let settings: Mutex<Settings>
  private let store: CrashStore
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let bell = WorkBell()
  private let isGone = DispatchSemaphore(value: 0)

  private struct Settings {
    var threads: Int?
    var queue: IntakeQueue
  }

  private var queue: IntakeQueue { settings.withLock { $0.queue } }

  private struct State {
    var process: pid_t = 0
    var isStopping = false
  }

  /// Seconds before a worker that died at once is started again; doubled each time.
  private static let pauses = 1...60
  /// Seconds between two looks whether others left work: a command that works on the home, a server
  /// that is no more.
  private static let patience = 1
  /// After so many looks in vain, it takes back what workers had that are no more.
  private static let quietLooks = 30

  init(
    home: String, threads: Int?, queue: IntakeQueue, store: CrashStore,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.home = home
    settings = Mutex(Settings(threads: threads, queue: queue))
    self.store = store
    self.warn = warn
  }

  func start() {
    DispatchQueue(label: "worker").async { self.keepRunning() }
  }

  /// Says that there is work.
  func wake() { bell.ring() }

  /// Has the process started again with other options, when it has ended what it does.
  func reload(threads: Int?, queue: IntakeQueue) {
    settings.withLock { $0 = Settings(threads: threads, queue: queue) }
    state.withLock { if $0.process > 0 { kill($0.process, SIGHUP) } }
  }

  /// Lets the worker end what it does.
  func stop(within seconds: Int) {
    let isRunning = state.withLock { state in
      state.isStopping = true
      bell.close()
      return state.process > 0
    }
    bell.endWait()
    guard isRunning else { return }
    if isGone.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
      // What it has goes back to the queue. Under the lock, for a number that was waited for may be
      // another process's.
      state.withLock { if $0.process > 0 { kill($0.process, SIGKILL) } }
      _ = isGone.wait(timeout: .now() + .seconds(5))
    }
  }

  private func keepRunning() {
    var pause = Self.pauses.lowerBound
    while waitForWork() {
      var started = time(nil)
      guard let process = spawn() else {
        warn(
          "the process that files reports cannot be started: \(String(cString: strerror(errno)))")
        sleep(UInt32(pause))
        pause = min(pause * 2, Self.pauses.upperBound)
        continue
      }
      // It is waited for first and taken away under the lock: until then its number is its own.
      var info = siginfo_t()
      while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      let (status, isStopping) = state.withLock { state in
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        state.process = 0
        bell.close()
        return (status, state.isStopping)
      }
      if isStopping {
        isGone.signal()
        return
      }
      // It found nothing to do for a while. What came since is found here.
      if status == 0 {
        pause = Self.pauses.lowerBound
        continue
      }
      do {
        let back = try queue.reclaim()
        warn(
          "the worker process ended (\(Self.cause(status))); \(back.takenBack) submissions"
            + " are back in the queue, \(back.setAside) of them quarantined")
      } catch {
        warn("\(error)")
      }
      started = time(nil) - started
      pause = started > 60 ? Self.pauses.lowerBound : min(pause * 2, Self.pauses.upperBound)
      sleep(UInt32(pause))
    }
  }

  /// - Returns: `false` when it is time to stop.
  private func waitForWork() -> Bool {
    var looks = 0
    while !state.withLock({ $0.isStopping }) {
      // Of what keeps it from looking, the worker will tell, and try again.
      if (try? hasWork(look: looks)) ?? true { return true }
      looks += 1
      if bell.wait(seconds: Self.patience) {
        return !state.withLock { $0.isStopping }
      }
    }
    return false
  }

  private func hasWork(look: Int) throws -> Bool {
    if try queue.counts().waiting > 0 || store.redoCount() > 0 { return true }
    return try look % Self.quietLooks == Self.quietLooks - 1 && queue.reclaim().takenBack > 0
  }

  private static func cause(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "exit \((status >> 8) & 0xff)" : "signal \(signal)"
  }

  private func spawn() -> pid_t? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    // Signals of the terminal are for the server, which tells the worker.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let (threads, queue) = settings.withLock { ($0.threads, $0.queue) }
    var words = ["mayday", WorkCommand.name, "--home", home]
    if let threads { words += ["--threads", "\(threads)"] }
    words += ["--set-aside", "\(queue.limits.setAside)"]
    words += ["--set-aside-bytes", "\(queue.limits.setAsideBytes)"]
    if let reserve = queue.limits.reserve { words += ["--disk-reserve", "\(reserve)"] }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    let code = posix_spawn(
      &process, "/proc/self/exe", &actions, &attributes, arguments, environ)
    close(ends[0])
    guard code == 0 else {
      close(ends[1])
      errno = code
      return nil
    }
    state.withLock { state in
      state.process = process
      bell.attach(ends[1])
      if state.isStopping { bell.close() }
    }
    return process
  }
}
