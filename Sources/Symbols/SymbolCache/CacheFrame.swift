internal import Bytes

/// A function and a location in it, as stored in the cache: names are ranges of its strings.
public struct CacheFrame: BitwiseCopyable, Sendable {
  /// A string of the cache; a length of 0 where unknown.
  public struct Text: BitwiseCopyable, Hashable, Sendable {
    /// In bytes from the start of the cache.
    public var offset: UInt32 = 0
    public var count: UInt32 = 0

    public var isEmpty: Bool { count == 0 }
  }

  /// The raw name: of the symbol for the outermost frame, or otherwise the linkage name, or the plain one.
  public var name = Text()
  /// The name in the debug information where ``name`` is a symbol's; otherwise empty.
  public var sourceName = Text()
  /// The start of the function, from the image base; all ones where unknown.
  public var functionStart: UInt32 = .max
  /// The joined path.
  public var file = Text()
  /// The line; 0 where unknown.
  public var line: UInt32 = 0
  /// The column; 0 where unknown.
  public var column: UInt32 = 0
  /// The file of the function's declaration.
  public var declarationFile = Text()
  /// The line of the declaration; 0 where unknown.
  public var declarationLine: UInt32 = 0
  /// Whether the next frame is the one that it was inlined into.
  public var isInlined = false

  public init() {}
}

extension SymbolCache {
  /// The bytes of a string, borrowed from the cache.
  @_lifetime(borrow self)
  public func text(_ text: CacheFrame.Text) -> RawSpan {
    let all = bytes.bytes
    let start = Int(text.offset)
    guard start <= all.byteCount, Int(text.count) <= all.byteCount - start else {
      return all.extracting(0..<0)
    }
    return all.extracting(start..<(start + Int(text.count)))
  }
}
