internal import Bytes

/// A function and a location in it, as the cache holds them: names are ranges of its strings.
public struct CacheFrame: BitwiseCopyable, Sendable {
  /// A string of the cache; a length of 0 where none is known.
  public struct Text: BitwiseCopyable, Hashable, Sendable {
    /// In bytes from the start of the cache.
    public var offset: UInt32 = 0
    public var count: UInt32 = 0

    public var isEmpty: Bool { count == 0 }
  }

  /// The raw name: of the symbol for the outermost frame, else the linkage name, else the plain one.
  public var name = Text()
  /// The name that the debug information has where ``name`` is a symbol's; else empty.
  public var sourceName = Text()
  /// Where the function begins, from the image base; all ones where it is not known.
  public var functionStart: UInt32 = .max
  /// The joined path.
  public var file = Text()
  /// 0 where no line is known.
  public var line: UInt32 = 0
  /// 0 where no column is known.
  public var column: UInt32 = 0
  /// Where the function is declared.
  public var declarationFile = Text()
  /// 0 where it is not known.
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
