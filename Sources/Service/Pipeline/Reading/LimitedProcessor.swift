internal import Bytes
internal import ChildProcess
internal import CrashInput
internal import Files
internal import JSON
internal import ReportDocument
internal import Synchronization

/// Reads files in other processes, each of which reads one after another: a file that takes more than its time or
/// memory, or ends its process, costs itself.
///
/// A process gets the name of a file, or its bytes, and answers with the documents of its reports; see
/// ``ReadingMessages``. What it answers is not trusted.
public final class LimitedProcessor: Sendable {
  private let arguments: [String]
  private let seconds: Double?
  private let memory: Int?
  /// Processes that wait for a file.
  private let idle = Mutex<[Reader]>([])

  /// - Parameters:
  ///   - arguments: The command line of a process that runs ``ReadingLoop``, without the name of the program.
  ///   - seconds: The time for a file; `nil` for any.
  ///   - memory: The bytes of memory that a process may have, for messages: the process limits itself.
  public init(arguments: [String], seconds: Double?, memory: Int?) {
    self.arguments = arguments
    self.seconds = seconds
    self.memory = memory
  }

  private final class PipeEnd: Sendable {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }
  }

  /// A process, and the pipes to it.
  private final class Reader: Sendable {
    let process: ChildProcess
    /// `nil` once no file comes any more.
    private let input: Mutex<PipeEnd?>
    let output: OpenFile

    init(_ arguments: [String]) throws(FileError) {
      let requests = try OpenFile.pipe()
      let answers = try OpenFile.pipe()
      process = try ChildProcess(
        ["mayday"] + arguments, input: requests.reading.number, output: answers.writing.number,
        surroundings: .inherited)
      input = Mutex(PipeEnd(requests.writing))
      output = answers.reading
    }

    func send(_ request: ReadingMessages.Request) throws(ReadingMessages.Failure) {
      guard let input = input.withLock({ $0 }) else { throw .ended }
      try ReadingMessages.send(request, to: input.file)
    }

    /// Says that no file comes any more.
    func close() { input.withLock { $0 = nil } }
  }

  func process(_ file: InputFile, _ bytes: ByteView) throws -> [ProcessedReport] {
    let reader = try idle.withLock { $0.popLast() } ?? Reader(arguments)
    let answer: ReadingMessages.Answer
    do throws(ReadingMessages.Failure) {
      var patience = seconds.map { Int64($0 * 1_000_000_000) } ?? .max
      try reader.send(
        file.isOnDisk ? .path(file.path, size: bytes.count) : .bytes(bytes))
      answer = try ReadingMessages.receive(from: reader.output, within: &patience)
    } catch {
      // The process is not used again; it ends with its object.
      throw failure(error, of: reader)
    }
    idle.withLock { $0.append(reader) }
    return try reports(in: answer)
  }

  /// Lets the processes end what they do for later runs, and waits for them.
  func finish() {
    let readers = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for reader in readers { reader.close() }
    for reader in readers { reader.process.wait() }
  }

  private func reports(in answer: ReadingMessages.Answer) throws -> [ProcessedReport] {
    switch answer {
    case .failed(let failure): throw failure
    case .reports(let documents):
      return try documents.map { app, document in
        let parse = try JSONDocument.parse(document, limits: Self.limits)
        return ProcessedReport(app: app, report: try StoredReport(parse.value).report)
      }
    }
  }

  private func failure(_ failure: ReadingMessages.Failure, of reader: Reader) -> FailedReading {
    var reason: String
    switch failure {
    case .late:
      reader.process.send(9)
      reason = "it takes more than \(Self.text(seconds ?? 0)) s to read"
    case .wrong: reason = "the process that read it gave no answer"
    case .ended:
      reason = "the process that read it \(reader.process.wait())"
      if let memory { reason += "; its memory is limited to \(memory >> 20) MiB" }
    }
    return FailedReading(reason: reason, message: reason, isForeign: false)
  }

  /// Limits that the largest report that can be read stays below.
  private static let limits = JSONLimits(
    depth: JSONLimits.report.depth, bytes: .max, nodes: 40_000_000, stringBytes: .max)

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }
}

extension InputFile {
  /// Whether it is the whole of a file that another process can open by the same name. What cannot be shown of a name
  /// is escaped.
  fileprivate var isOnDisk: Bool {
    !isMember && archive == nil && coverage == .whole && path != "-" && !path.contains("\\")
      && !RemoteInputs.isMeant(by: path)
      && path.printable == path
  }
}
