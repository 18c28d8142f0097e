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
  private let processor: FileProcessor
  private let width: Int
  private let spill: BatchSpill

  /// - Parameters:
  ///   - width: The number of threads.
  ///   - spill: When what is known of the reports is put into files.
  public init(
    processor: FileProcessor, width: Int = Workers.processorCount,
    spill: BatchSpill = BatchSpill()
  ) {
    self.processor = processor
    self.width = width
    self.spill = spill
  }

  public init(processor: ReportProcessor, width: Int = Workers.processorCount) {
    self.init(processor: .direct(processor), width: width)
  }

  /// Triages files, folders and archives; `-` is standard input.
  public func run(_ paths: [String], walker: InputWalker = InputWalker()) throws -> TriageResult {
    let head = BatchHead(
      engine: "", rules: "", app: nil, symbols: "", largestReport: nil, inputs: paths,
      refusedSymbols: [])
    let parts = try parts(of: paths.map { InputName(argument: $0) }, head: head, walker: walker)
    return try TriageResult(BatchMerge.part(of: parts, in: spill.folder))
  }

  /// - Parameters:
  ///   - names: Files, folders and archives.
  ///   - head: How the processor works.
  ///   - walker: The reader of the files, with its limits.
  ///   - progress: Called after each file, in their order.
  /// - Returns: One or more parts, to be merged.
  /// - Throws: ``FileError`` if the disk is full; an error of the debug files where none can be reached.
  public func parts(
    of names: some Sequence<InputName>, head: BatchHead, walker: InputWalker = InputWalker(),
    progress: @escaping (FileProgress) -> Void = { _ in }
  ) throws -> [BatchPart] {
    try parts(head: head, progress: progress) { walker.walk(names, body: $0) }
  }

  /// - Parameters:
  ///   - head: How the processor works.
  ///   - progress: Called after each file, in their order.
  ///   - source: Passes each file to its argument, in order.
  /// - Returns: As ``parts(of:head:walker:progress:)``.
  public func parts(
    head: BatchHead, progress: @escaping (FileProgress) -> Void = { _ in },
    source: ((InputFile) -> InputStep) -> Void
  ) throws -> [BatchPart] {
    var builder = BatchBuilder(head: head, spill: spill)
    var failure: (any Error)?
    let stream = WorkStream<InputFile, TriagedFile>(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight(width: width)
    ) {
      [processor] file in
      TriagedFile(of: file, by: processor)
    } consume: { file in
      guard failure == nil else { return }
      do {
        if let outage = file.outage { throw outage }
        try builder.add(file)
      } catch {
        failure = error
      }
      progress(file.progress)
    }
    source { file in
      guard failure == nil else { return .stop }
      if file.companion?.isAttachment == true {
        do {
          try builder.add(attachment: file)
        } catch {
          failure = error
        }
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
    if let failure { throw failure }
    return try builder.finish()
  }
}
