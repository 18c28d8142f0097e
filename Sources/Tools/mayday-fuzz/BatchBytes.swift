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
    let parts = try? Triage(processor: processor, width: 1).parts(head: head) { body in
      _ = body(file)
    }
    var part: [UInt8] = []
    guard let parts, parts[0].reportCount > 0,
      (try? BatchMerge(parts, in: "/tmp").write(isPacked: false, to: { part += $0.array })) != nil
    else { return nil }
    return part
  }

  static func read(_ bytes: ByteView) {
    guard let file = try? BatchFile(opening: bytes, named: "a", checksSums: false) else { return }
    var merged: [UInt8] = []
    guard
      (try? BatchMerge([.file(file), .file(file)], in: "/tmp").write(
        isPacked: false, to: { merged += $0.array })) != nil,
      let whole = try? BatchFile(opening: ByteView(merged), named: "b")
    else { return }
    guard let result = try? TriageResult(.file(whole)) else { return }
    for group in result.groups { for _ in group.reports {} }
  }
}
