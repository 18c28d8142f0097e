internal import Archives
internal import Bytes
internal import Glibc

/// The child, seen from outside. What it says is not trusted.
struct OpinionProcess: ~Copyable {
  private let process: pid_t
  private let answers: OpenFile
  private let limits: OpinionLimits
  private let deadline: Int64
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  private var start = 0
  private var end = 0
  /// Whether the process was waited for already.
  private var isGone = false

  /// Starts `program` for the file at `path`.
  init(path: String, program: String, limits: OpinionLimits) throws(OpinionError) {
    let pipe: OpenFile.Pipe
    let file: OpenFile
    do {
      file = try OpenFile.opening(Array(path.utf8), name: path).movedUp()
    } catch {
      throw .file(error)
    }
    do {
      pipe = try OpenFile.pipe()
    } catch {
      throw .cannotStart(error.description)
    }
    let (process, code) = UnpackProgram.start(
      program,
      ["mayday", OpinionChild.subcommand, String(limits.childBytes), String(limits.seconds)],
      input: file.number, output: pipe.writing.number)
    guard let process else {
      throw .cannotStart(FileError("start", path: program, code: code).description)
    }
    self.process = process
    self.limits = limits
    deadline = Self.now + Int64(limits.seconds) * 1_000_000_000
    answers = pipe.reading
  }

  mutating func byte() throws(OpinionError) -> UInt8 {
    if start == end { try fill() }
    start += 1
    return buffer[start - 1]
  }

  mutating func number() throws(OpinionError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 64 else { throw .wrongAnswer("a number of more than 64 bits") }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// A text's bytes, appended to `bytes`; its length.
  mutating func text(into bytes: inout Table<UInt8>) throws(OpinionError) -> Int {
    let count = try number()
    guard count <= UInt64(limits.nameLength) else {
      throw .wrongAnswer("a text of \(count) bytes")
    }
    for _ in 0..<count { bytes.append(try byte()) }
    return Int(count)
  }

  private mutating func fill() throws(OpinionError) {
    while true {
      var ready = pollfd(fd: answers.number, events: Int16(POLLIN), revents: 0)
      let rest = max(deadline - Self.now, 0) / 1_000_000
      let result = poll(&ready, 1, Int32(clamping: rest))
      if result < 0 && errno == EINTR { continue }
      guard result != 0 else { throw .limit("seconds", limits.seconds) }
      let got = buffer.withUnsafeMutableBytes { read(answers.number, $0.baseAddress, $0.count) }
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { throw .died(ending()) }
      (start, end) = (0, got)
      return
    }
  }

  /// Nanoseconds of a clock that nobody sets.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// How the process, which has closed its pipe, came to its end, in words.
  private mutating func ending() -> String {
    for _ in 0..<1_000 {
      var status: Int32 = 0
      let result = waitpid(process, &status, WNOHANG)
      if result == process {
        isGone = true
        return Self.words(status)
      }
      guard result == 0 || errno == EINTR else { break }
      usleep(1_000)
    }
    return "stopped answering"
  }

  /// Source: wait(2), and the bits of the status in bits/waitstatus.h.
  private static func words(_ status: Int32) -> String {
    let signal = status & 0x7f
    guard signal != 0 else { return "ended with status \(status >> 8 & 0xff)" }
    return switch signal {
    case SIGSYS: "was stopped at a forbidden system call"
    case SIGXCPU: "ran out of processor time"
    default: "was killed by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }

  deinit {
    guard !isGone else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  }
}
