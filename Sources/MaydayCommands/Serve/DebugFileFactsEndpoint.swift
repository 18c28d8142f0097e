import Archives
import Bytes
import CrashStore
import Glibc
import HTTP
import Synchronization

/// `GET /api/v1/symbols/ID`: what is there under an id, as `mayday symbols show --json`; `arch` narrows
/// it. A process of its own reads the files, one at a time.
struct DebugFileFactsEndpoint {
  let service: Service

  private static let isBusy = Atomic<Bool>(false)
  /// Seconds that it may take, and bytes that it may tell.
  private static let patience = 150
  private static let limit = 4 << 20

  func show(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    let architecture = request.query["arch"]
    return try .refusing {
      if try service.access.app(of: request.head) != nil {
        // Refused, in the words of the other questions for debug files.
        _ = try service.answers(for: request.head).debugFiles()
      }
      // Only what is known is looked at, and what is no id never becomes an argument.
      guard StoredDebugFiles.isID(id) else {
        return .problem(.notFound, "'\(id.prefix(80))' is not the id of a debug file")
      }
      _ = try StoredDebugFiles.records(of: id, architecture: architecture, in: service.store)
      guard !Self.isBusy.exchange(true, ordering: .acquiring) else {
        return .busy("another debug file is being read")
      }
      defer { Self.isBusy.store(false, ordering: .releasing) }
      guard let text = try read(id, architecture) else {
        return .problem(.unprocessableContent, "reading the debug file took too much")
      }
      return .json(text)
    }
  }

  /// - Returns: `nil` where the process did not come to its end.
  private func read(_ id: String, _ architecture: String?) throws -> [UInt8]? {
    var words = ["mayday", SymbolFactsCommand.name, id, "--home", service.store.home]
    if let architecture { words += ["--arch=" + architecture] }
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { throw FileError("open", path: "/dev/null") }
    defer { close(nothing) }
    let reading: OpenFile
    let process: pid_t
    do {
      let pipe = try OpenFile.pipe()
      let (started, code) = UnpackProgram.start(
        "/proc/self/exe", words, input: nothing, output: pipe.writing.number)
      guard let started else { throw FileError("start", path: "/proc/self/exe", code: code) }
      process = started
      reading = pipe.reading
    }
    return Self.output(of: process, from: reading.number)
  }

  private static func output(of process: pid_t, from pipe: Int32) -> [UInt8]? {
    let end = ContinuousClock.now + .seconds(patience)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isWhole = false
    while text.count < limit {
      let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      var ready = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let result = left > 0 ? poll(&ready, 1, Int32(clamping: Int(left))) : 0
      if result < 0 && errno == EINTR { continue }
      guard result > 0 else { break }
      let count = Glibc.read(pipe, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        isWhole = count == 0
        break
      }
      text += buffer[..<count]
    }
    if !isWhole { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return isWhole && status == 0 ? text : nil
  }
}
