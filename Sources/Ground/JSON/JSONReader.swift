public import Bytes

/// A pull parser: walks a document in its own order and builds nothing but what is asked for.
///
///     var reader = JSONReader(bytes)
///     if try reader.beginObject() {
///       while try reader.nextKey() {
///         if reader.keyIs("pid") { pid = try reader.readInt() }
///       }
///     }
///
/// - A value that is not read is skipped when the next key or element is asked for; in skipped
///   values only strings and nesting are examined.
/// - Reading a kind other than that of the next value gives `nil` and skips the value.
/// - A document that is cut off ends every loop; ``cut`` gives the offset. The value that was cut
///   in two is left out.
/// - Members with the same key are all visited; callers that keep values keep the first.
/// - Accepted beyond RFC 8259, because real reports hold them: a byte order mark, NUL bytes between
///   values, a comma before a closing bracket, `NaN` and `Infinity`, raw control characters and
///   invalid UTF-8 in strings, lone surrogates (as U+FFFD).
public struct JSONReader: ~Copyable, ~Escapable {
  @usableFromInline let span: RawSpan
  @usableFromInline let end: Int
  @usableFromInline let base: Int
  @usableFromInline let structure: StaticString
  @usableFromInline let limits: JSONLimits
  @usableFromInline var offset = 0
  /// How many containers are open.
  @usableFromInline var open = 0
  /// A bit for each open container, the innermost lowest: 1 for an object.
  @usableFromInline var objects: UInt128 = 0
  /// Whether a key or element was announced and its value has not been read.
  @usableFromInline var isPending = false
  /// Whether the innermost container has had no member yet.
  @usableFromInline var isFirst = true
  @usableFromInline var keyStart = 0
  @usableFromInline var keyCount = 0
  @usableFromInline var keyIsEscaped = false
  @usableFromInline var cutOffset: Int?

  /// Bytes past the limit are not read: the document counts as cut off there.
  ///
  /// - Parameters:
  ///   - bytes: The document, and perhaps more after it.
  ///   - structure: The name of the structure that is read, for errors.
  ///   - base: Where `bytes` begin in the input, in bytes; only for the offsets in errors.
  @inlinable
  @_lifetime(copy bytes)
  public init(
    _ bytes: RawSpan, reading structure: StaticString = "JSON", limits: JSONLimits = .report,
    base: Int = 0
  ) {
    span = bytes
    end = min(bytes.byteCount, limits.bytes)
    self.base = base
    self.structure = structure
    self.limits = limits
    if end >= 3, byte(at: 0) == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF { offset = 3 }
  }

  /// The next byte to be read, from the start of the borrowed bytes.
  @inlinable public var position: Int { offset }

  /// The offset at which the document was cut off, from the start of the borrowed bytes.
  @inlinable public var cut: Int? { cutOffset }

  /// How many containers are open.
  @inlinable public var depth: Int { open }

  /// The kind of the next value; only white space is consumed.
  ///
  /// - Throws: ``ParseError`` when no value begins there.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func peek() throws(ParseError) -> JSONKind {
    skipSpace()
    guard offset < end else { return .end }
    switch byte(at: offset) {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"):
      // Some writers print the C library's `nan`.
      let isNaN = offset &+ 1 < end && byte(at: offset &+ 1) == UInt8(ascii: "a")
      return isNaN ? .number : .null
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "N"), UInt8(ascii: "I"):
      return .number
    default: throw unexpected("a value")
    }
  }

  /// Enters the next object.
  ///
  /// - Returns: Whether there was one; another value is skipped.
  /// - Throws: ``ParseError`` for damage, and past the limit of depth.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func beginObject() throws(ParseError) -> Bool {
    try begin(UInt8(ascii: "{"), bit: 1)
  }

  /// Enters the next array.
  ///
  /// - Returns: Whether there was one; another value is skipped.
  /// - Throws: ``ParseError`` for damage, and past the limit of depth.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func beginArray() throws(ParseError) -> Bool {
    try begin(UInt8(ascii: "["), bit: 0)
  }

  /// Moves to the next member of the innermost object, or leaves it.
  ///
  /// - Returns: Whether there is a member; its key is ``key``, compared by ``keyIs(_:)``.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func nextKey() throws(ParseError) -> Bool {
    guard try next(closing: UInt8(ascii: "}")) else { return false }
    guard byte(at: offset) == UInt8(ascii: "\"") else { throw unexpected("a key") }
    guard let text = try scanString() else { return false }
    keyStart = text.start
    keyCount = text.count
    keyIsEscaped = text.isEscaped
    skipSpace()
    guard offset < end else { return cutHere() }
    guard byte(at: offset) == UInt8(ascii: ":") else { throw unexpected("a colon") }
    offset &+= 1
    isPending = true
    return true
  }

  /// Moves to the next element of the innermost array, or leaves it.
  ///
  /// - Returns: Whether there is an element.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func nextElement() throws(ParseError) -> Bool {
    guard try next(closing: UInt8(ascii: "]")) else { return false }
    isPending = true
    return true
  }

  /// Whether the key of the current member is `name`.
  ///
  /// Mutating, though it changes nothing: a borrowed reader is passed as a copy of all its fields.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func keyIs(_ name: StaticString) -> Bool {
    if keyIsEscaped { return key == name.description }
    let count = name.utf8CodeUnitCount
    guard keyCount == count else { return false }
    // Whole words as far as possible: for a literal the compiler knows the length.
    let wanted = unsafe UnsafeRawPointer(name.utf8Start)
    var at = 0
    while at &+ 8 <= count {
      guard
        unsafe span.unsafeLoadUnaligned(fromByteOffset: keyStart &+ at, as: UInt64.self)
          == wanted.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      else { return false }
      at &+= 8
    }
    if at &+ 4 <= count {
      guard
        unsafe span.unsafeLoadUnaligned(fromByteOffset: keyStart &+ at, as: UInt32.self)
          == wanted.loadUnaligned(fromByteOffset: at, as: UInt32.self)
      else { return false }
      at &+= 4
    }
    while at < count {
      guard
        unsafe byte(at: keyStart &+ at) == wanted.load(fromByteOffset: at, as: UInt8.self)
      else { return false }
      at &+= 1
    }
    return true
  }

  /// The key of the current member.
  ///
  /// - Complexity: O(length).
  public var key: String {
    @_lifetime(self: copy self)
    mutating get {
      string(JSONText(start: keyStart, count: keyCount, isEscaped: keyIsEscaped))
    }
  }

  // MARK: Steps

  @inlinable
  @inline(__always)
  func byte(at position: Int) -> UInt8 {
    span.byte(position)
  }

  /// Skips blanks, tabs, line ends, and the NULs with which some writers pad a file.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func skipSpace() {
    while offset < end {
      switch byte(at: offset) {
      case 0x20, 0x0A, 0x0D, 0x09, 0x00: offset &+= 1
      default: return
      }
    }
  }

  @inlinable
  @_lifetime(self: copy self)
  mutating func begin(_ bracket: UInt8, bit: UInt128) throws(ParseError) -> Bool {
    skipSpace()
    guard offset < end else { return cutHere() }
    guard byte(at: offset) == bracket else {
      try skipValue()
      return false
    }
    try push(bit)
    isPending = false
    isFirst = true
    return true
  }

  /// Enters one more container, whose bracket is at the offset.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func push(_ bit: UInt128) throws(ParseError) {
    guard open < limits.depth else {
      throw error(.limit(name: "levels of nesting", value: limits.depth))
    }
    open &+= 1
    objects = objects &<< 1 | bit
    offset &+= 1
  }

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func pop() {
    offset &+= 1
    open &-= 1
    objects &>>= 1
  }

  /// Skips the comma before the next key or element, or leaves the container.
  @inlinable
  @_lifetime(self: copy self)
  mutating func next(closing bracket: UInt8) throws(ParseError) -> Bool {
    if isPending { try skipValue() }
    skipSpace()
    if !isFirst && offset < end && byte(at: offset) == UInt8(ascii: ",") {
      offset &+= 1
      skipSpace()
    } else if !isFirst && offset < end && byte(at: offset) != bracket {
      throw unexpected("a comma or the end of the container")
    }
    guard offset < end else { return cutHere() }
    if byte(at: offset) == bracket {
      pop()
      isPending = false
      isFirst = false
      return false
    }
    isFirst = false
    return true
  }

  /// Notes that the bytes ended before the document did.
  @inline(never)
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func cutHere() -> Bool {
    offset = end
    isPending = false
    cutOffset = end
    return false
  }

  /// An error in the structure that is read, at the reader's position.
  @inline(never)
  public func error(_ kind: ParseError.Kind) -> ParseError {
    ParseError(kind, in: structure.description, at: base &+ offset)
  }

  @inline(never)
  @usableFromInline
  func unexpected(_ wanted: StaticString) -> ParseError {
    let found = byte(at: offset)
    let shown =
      found > 0x20 && found < 0x7F
      ? "'\(Unicode.Scalar(found))'" : "byte " + found.hexadecimal
    return error(.invalid("\(shown) instead of \(wanted)"))
  }
}
