public import Batches
internal import Bytes
public import CrashInput
internal import CrashStore
internal import Crypto
internal import ReportFormats
public import Workers

/// Parses and symbolicates all files below some paths, and collects what decides about their groups; nothing is
/// stored.
public struct Triage {
  private let processor: ReportProcessor
  private let width: Int

  /// - Parameter width: The number of threads.
  public init(processor: ReportProcessor, width: Int = Workers.processorCount) {
    self.processor = processor
    self.width = width
  }

  /// Triages files, folders and archives; `-` is standard input.
  public func run(_ paths: [String], walker: InputWalker = InputWalker()) throws -> TriageResult {
    let head = BatchHead(
      engine: "", rules: "", app: nil, symbols: "", largestReport: nil, inputs: paths,
      refusedSymbols: [])
    return try TriageResult(
      batch(of: paths.map { InputName(argument: $0) }, head: head, walker: walker))
  }

  /// - Parameters:
  ///   - names: Files, folders and archives.
  ///   - head: How the processor works.
  ///   - walker: The reader of the files, with its limits.
  ///   - progress: Called after each file, in their order.
  public func batch(
    of names: some Sequence<InputName>, head: BatchHead, walker: InputWalker = InputWalker(),
    progress: @escaping (FileProgress) -> Void = { _ in }
  ) -> Batch {
    batch(head: head, progress: progress) { walker.walk(names, body: $0) }
  }

  /// - Parameters:
  ///   - head: How the processor works.
  ///   - progress: Called after each file, in their order.
  ///   - source: Passes each file to its argument, in order.
  public func batch(
    head: BatchHead, progress: @escaping (FileProgress) -> Void = { _ in },
    source: ((InputFile) -> InputStep) -> Void
  ) -> Batch {
    var builder = BatchBuilder()
    let stream = WorkStream<InputFile, TriagedFile>(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight(width: width)
    ) {
      [processor] file in
      TriagedFile(of: file, by: processor)
    } consume: { file in
      builder.add(file)
      progress(file.progress)
    }
    source { file in
      if file.companion?.isAttachment == true {
        builder.add(attachment: file)
        return .next
      }
      var file = file
      // Files beyond the limit are not read at all.
      if let limit = builder.limit(of: file), case .success = file.content {
        file = InputFile(
          path: file.path, content: .failure(.limit(limit.reason)), ordinal: file.ordinal,
          companion: file.companion, isMember: file.isMember, archive: file.archive,
          coverage: file.coverage)
      }
      stream.bring(file, weight: file.byteCount)
      return .next
    }
    stream.finish()
    return builder.finish(head: head)
  }
}
