import Dispatch
import Glibc
import TestSupport

/// Result of a run of the built program.
struct Run {
  let status: Int32
  let output: String
  let errors: String

  /// Runs `mayday` with standard input and both outputs in pipes, and only the named variables of
  /// this process's environment.
  ///
  /// - Parameters:
  ///   - reading: The number of bytes of standard output to read before closing it.
  ///   - killing: A signal to send after the first output; standard input stays open.
  ///   - program: Another program to run.
  init(
    _ arguments: [String], environment: [String: String] = [:], input: String = "",
    reading limit: Int = .max, killing signalNumber: Int32? = nil,
    program: String = BuiltProgram.mayday
  ) {
    // Two runs that start at once must not leak each other's pipes to their programs.
    Self.starting.lock()
    let stdin = Pipe()
    let stdout = Pipe()
    let stderr = Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, stdin.output, 0)
    posix_spawn_file_actions_adddup2(&actions, stdout.input, 1)
    posix_spawn_file_actions_adddup2(&actions, stderr.input, 2)
    // The test threads block signals, which a program would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let all = environment.merging(
      ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]) { mine, _ in mine }
    var process: pid_t = 0
    let code = Self.withCStrings([program] + arguments) { arguments in
      Self.withCStrings(all.map { "\($0.key)=\($0.value)" }) { environment in
        posix_spawn(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    Self.starting.unlock()
    for end in [stdin.output, stdout.input, stderr.input] { close(end) }
    guard code == 0 else {
      status = -1
      output = ""
      errors = "cannot start \(program): \(code)"
      return
    }
    let bytes = Array(input.utf8)
    signal(SIGPIPE, SIG_IGN)
    _ = bytes.withUnsafeBytes { write(stdin.input, $0.baseAddress, $0.count) }
    if let signalNumber {
      var waiting = pollfd(fd: stdout.output, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, 60_000)
      kill(process, signalNumber)
    }
    close(stdin.input)
    let collected = Self.collect([stdout.output, stderr.output], limits: [limit, .max])
    output = collected[0]
    errors = collected[1]
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0 && errno == EINTR {}
    status = state & 0x7f == 0 ? (state >> 8) & 0xff : 128 + (state & 0x7f)
    guard program == BuiltProgram.mayday, limit == .max, signalNumber == nil else { return }
    CheckedDocuments.check(arguments, output, status: status)
  }

  private static let starting = Lock()

  private final class Lock: Sendable {
    private let semaphore = DispatchSemaphore(value: 1)

    func lock() { semaphore.wait() }
    func unlock() { semaphore.signal() }
  }

  private struct Pipe {
    let output: Int32
    let input: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      output = ends[0]
      input = ends[1]
    }
  }

  /// Reads several descriptors to their end, or to their limit, and closes them.
  private static func collect(_ descriptors: [Int32], limits: [Int]) -> [String] {
    var bytes = descriptors.map { _ in [UInt8]() }
    var open = Set(descriptors.indices)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while !open.isEmpty {
      var polls = descriptors.indices.map { index in
        pollfd(
          fd: open.contains(index) ? descriptors[index] : -1, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polls, nfds_t(polls.count), 60_000) > 0 else { break }
      for index in open.sorted() where polls[index].revents != 0 {
        let count = read(descriptors[index], &chunk, chunk.count)
        if count > 0 { bytes[index] += chunk[..<count] }
        if count <= 0 || bytes[index].count >= limits[index] {
          close(descriptors[index])
          open.remove(index)
        }
      }
    }
    for index in open { close(descriptors[index]) }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { pointers.forEach { free($0) } }
    return pointers.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("ends in a null") }
      return body(start)
    }
  }
}
