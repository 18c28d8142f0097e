internal import Bytes
public import Identifiers

/// One frame of the answer to a look-up.
public struct SourceFrame: Hashable, Sendable {
  /// The raw name; `nil` where none is known.
  public var name: String?
  /// The name as the source has it, where a PDB gives both: `Shape::area` for
  /// `?area@Shape@@QBEHXZ`.
  public var undecoratedName: String?
  /// Where the function begins; for an inlined call `nil`.
  public var functionStart: ImageOffset?
  /// The path, joined.
  public var file: String?
  /// 1-based; `nil` where none is known, which is so for code that the compiler made.
  public var line: Int?
  /// 1-based.
  public var column: Int?
  /// Where the function is declared.
  public var declarationFile: String?
  public var declarationLine: Int?
  /// Whether the next frame is the one that it was inlined into.
  public var isInlined: Bool

  init(_ frame: CacheFrame, _ cache: borrowing SymbolCache) {
    name = frame.name.isEmpty ? nil : cache.text(frame.name).text
    undecoratedName =
      !frame.sourceName.isEmpty && cache.isDecorated(frame)
      ? cache.text(frame.sourceName).text : nil
    functionStart =
      frame.functionStart == .max ? nil : ImageOffset(UInt64(frame.functionStart))
    file = frame.file.isEmpty ? nil : cache.text(frame.file).text
    line = frame.line == 0 ? nil : Int(frame.line)
    column = frame.column == 0 ? nil : Int(frame.column)
    declarationFile =
      frame.declarationFile.isEmpty ? nil : cache.text(frame.declarationFile).text
    declarationLine = frame.declarationLine == 0 ? nil : Int(frame.declarationLine)
    isInlined = frame.isInlined
  }
}
