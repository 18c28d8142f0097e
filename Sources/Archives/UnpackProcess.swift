internal import Bytes
internal import Glibc

/// A running unpacker, seen from outside. What it says is not trusted: every frame is checked.
struct UnpackProcess: ~Copyable {
  /// A frame whose payload lies in the process's buffer until the next one is read.
  struct Frame {
    let kind: UnpackFrame
    let payload: Range<Int>
  }

  private let process: pid_t
  private let answers: OpenFile
  private let archive: String
  /// The limit that ``patience`` came from, for the error.
  private let seconds: Int
  private var buffer = [UInt8](
    repeating: 0, count: 4 * (UnpackFrame.headerSize + UnpackFrame.limit))
  /// Whether the process was waited for already.
  private var isGone = false
  private var start = 0
  private var end = 0
  /// Nanoseconds that may still be spent waiting for answers.
  var patience: Int64

  /// Starts the program for the open `file`.
  ///
  /// - Parameters:
  ///   - archive: What to call the archive in errors.
  ///   - program: The path of the program.
  ///   - count: How many members to pass over.
  ///   - patience: Nanoseconds that may be spent waiting for answers.
  init(
    reading file: borrowing OpenFile, archive: String, program: String, limits: ArchiveLimits,
    passingOver count: Int = 0, patience: Int64
  ) throws(ArchiveError) {
    // The position is shared with the process that read before.
    lseek(file.number, 0, SEEK_SET)
    let pipe: OpenFile.Pipe
    do {
      pipe = try OpenFile.pipe()
    } catch {
      throw ArchiveError(.cannotStart(error.description), in: archive)
    }
    let (process, code) = UnpackProgram.start(
      program,
      [
        "mayday", UnpackChild.subcommand, String(limits.memberBytes),
        String(limits.unpackerBytes), String(limits.seconds), String(count),
      ], input: file.number, output: pipe.writing.number)
    guard let process else {
      let failure = FileError("start", path: program, code: code)
      throw ArchiveError(.cannotStart(failure.description), in: archive)
    }
    self.process = process
    self.archive = archive
    self.patience = patience
    seconds = limits.seconds
    answers = pipe.reading
  }

  /// The next frame.
  ///
  /// - Throws: ``ArchiveError`` when the process wrote something else, ended before its last frame,
  ///   or took too long.
  mutating func next() throws(ArchiveError) -> Frame {
    try fill(UnpackFrame.headerSize)
    let count =
      Int(buffer[start + 1]) | Int(buffer[start + 2]) << 8 | Int(buffer[start + 3]) << 16
      | Int(buffer[start + 4]) << 24
    guard let kind = UnpackFrame(rawValue: buffer[start]), count <= UnpackFrame.limit else {
      throw wrongAnswer("no frame begins with \(buffer[start]), \(count)")
    }
    try fill(UnpackFrame.headerSize + count)
    let payload = start + UnpackFrame.headerSize
    start = payload + count
    return Frame(kind: kind, payload: payload..<start)
  }

  /// The payload of the last frame that was read.
  borrowing func bytes(of frame: Frame) -> ArraySlice<UInt8> { buffer[frame.payload] }

  /// Adds the payload of the last frame that was read to `member`; `false` without memory.
  borrowing func append(_ frame: Frame, to member: inout GrowingBuffer) -> Bool {
    buffer.withUnsafeBytes { member.append(UnsafeRawBufferPointer(rebasing: $0[frame.payload])) }
  }

  borrowing func wrongAnswer(_ what: String) -> ArchiveError {
    ArchiveError(.wrongAnswer(what), in: archive)
  }

  /// Makes sure that `count` bytes lie from ``start`` on.
  private mutating func fill(_ count: Int) throws(ArchiveError) {
    guard end - start < count else { return }
    buffer.withUnsafeMutableBytes { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
    (start, end) = (0, end - start)
    while end < count {
      try waitForAnswer()
      let room = buffer.count - end
      let position = end
      let got = buffer.withUnsafeMutableBytes {
        read(answers.number, $0.baseAddress?.advanced(by: position), room)
      }
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { throw ArchiveError(.unpackerDied(ending()), in: archive) }
      end += got
    }
  }

  private mutating func waitForAnswer() throws(ArchiveError) {
    var ready = pollfd(fd: answers.number, events: Int16(POLLIN), revents: 0)
    let began = Self.now
    let result = poll(&ready, 1, Int32(clamping: max(patience, 0) / 1_000_000))
    patience -= Self.now - began
    if result == 0 || (result < 0 && patience <= 0) {
      throw ArchiveError(.limit("seconds", seconds), in: archive)
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
    for _ in 0..<1000 {
      var status: Int32 = 0
      let result = waitpid(process, &status, WNOHANG)
      if result == process {
        isGone = true
        return Self.words(status)
      }
      guard result == 0 || errno == EINTR else { break }
      usleep(1000)
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
