internal import Batches
internal import Bytes
internal import CrashInput
internal import Grouping
internal import Pipeline
internal import SymbolCache
internal import Symbolication

/// Parts of a triage as input.
enum BatchBytes {
  private static let processor = ReportProcessor(
    symbolicator: Symbolicator(sources: [], pool: SymbolCachePool()),
    signer: Signer(rules: .standard), scrubber: nil)

  /// Returns the part that has the reports of a file; `nil` if it has none.
  static func seed(of bytes: ByteView) -> [UInt8]? {
    guard bytes.count < 64 << 10 else { return nil }
    let head = BatchHead(
      engine: "", rules: "", app: nil, symbols: "", largestReport: nil, inputs: [],
      refusedSymbols: [])
    let file = InputFile(path: "a", content: .success(bytes), ordinal: 0)
    let batch = Triage(processor: processor, width: 1).batch(head: head) { body in
      _ = body(file)
    }
    var part: [UInt8] = []
    guard !batch.reports.isEmpty, (try? batch.write(isPacked: false) { part += $0.array }) != nil
    else { return nil }
    return part
  }

  static func read(_ bytes: ByteView) {
    guard let file = try? BatchFile(opening: bytes, named: "a", checksSums: false),
      let batch = try? Batch(merging: [file, file])
    else { return }
    _ = try? TriageResult(batch)
  }
}
