/// Owned bytes: a buffer or a mapped file. Slices share the storage.
///
/// A view may be stored and sent between threads; to read it, borrow ``bytes`` or make a
/// ``ByteReader`` inside one function.
public struct ByteView: Sendable {
  @usableFromInline let storage: ByteStorage
  @usableFromInline let start: Int
  /// The length in bytes.
  public let count: Int

  @inlinable
  init(storage: ByteStorage, start: Int, count: Int) {
    self.storage = storage
    self.start = start
    self.count = count
  }

  /// A copy of `bytes`.
  ///
  /// - Complexity: O(n).
  public init(_ bytes: some Collection<UInt8>) {
    unsafe self.init(copying: Array(bytes).span.bytes)
  }

  /// A copy of `bytes`.
  ///
  /// - Complexity: O(n).
  public init(copying bytes: RawSpan) {
    let storage = ByteStorage(allocating: bytes.byteCount)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(mutating: storage.buffer).copyMemory(from: source)
    }
    self.init(storage: storage, start: 0, count: bytes.byteCount)
  }

  /// A new buffer of `capacity` bytes that `fill` writes; it returns how many bytes it wrote.
  ///
  /// - Complexity: O(1) plus what `fill` does.
  public init<Failure: Error>(
    capacity: Int,
    filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    let storage = ByteStorage(allocating: capacity)
    // An empty buffer still needs storage.
    let buffer = unsafe UnsafeMutableRawBufferPointer(
      start: UnsafeMutableRawPointer(mutating: storage.buffer.baseAddress), count: capacity)
    let count = try unsafe fill(buffer)
    precondition(count >= 0 && count <= capacity, "more bytes reported than the buffer holds")
    self.init(storage: storage, start: 0, count: count)
  }

  /// Memory that was filled elsewhere; `release` frees it once the last view of it is released.
  ///
  /// It must not be written to any more.
  @unsafe
  public init(
    taking buffer: UnsafeRawBufferPointer,
    release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    unsafe self.init(
      storage: ByteStorage(taking: buffer, release: release), start: 0, count: buffer.count)
  }

  /// No bytes.
  public static let empty = ByteView([])

  /// An identity that distinguishes a view from views of other bytes, without reading them.
  public struct Identity: Hashable, Sendable {
    private let storage: ObjectIdentifier
    private let start: Int
    private let count: Int

    fileprivate init(_ view: ByteView) {
      storage = ObjectIdentifier(view.storage)
      start = view.start
      count = view.count
    }
  }

  /// The identity, equal for views of the same range of the same buffer or mapped file, as long as
  /// one of them is alive.
  public var identity: Identity { Identity(self) }

  @inlinable public var isEmpty: Bool { count == 0 }

  /// The bytes, borrowed for the lifetime of the view.
  @inlinable
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let pointer = unsafe UnsafeRawBufferPointer(
        rebasing: storage.buffer[start..<(start &+ count)])
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: pointer), borrowing: self)
    }
  }

  /// The byte at `index`; traps outside the view, so test first.
  @inlinable
  public subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count)
    return unsafe storage.buffer[start &+ index]
  }

  /// The bytes of `range` that exist; a range past the end is cut off.
  @inlinable
  public func clamped(_ range: Range<Int>) -> ByteView {
    let range = range.clamped(to: 0..<count)
    return ByteView(storage: storage, start: start + range.lowerBound, count: range.count)
  }

  /// The offset of this view in another view of the same bytes; `nil` where it is not part of that.
  public func offset(in whole: ByteView) -> Int? {
    guard storage === whole.storage, start >= whole.start,
      start + count <= whole.start + whole.count
    else { return nil }
    return start - whole.start
  }

  /// A part of the view whose bounds come from the input itself.
  ///
  /// - Parameters:
  ///   - offset: In bytes from the start of this view.
  ///   - count: In bytes.
  ///   - structure: The name of the structure there, for the error.
  /// - Throws: ``ParseError`` when the part is not entirely inside the view.
  @inlinable
  public func slice(
    at offset: UInt64, count: UInt64, of structure: String
  ) throws(ParseError) -> ByteView {
    guard offset <= UInt64(self.count), count <= UInt64(self.count) - offset else {
      throw ParseError(
        .outOfBounds(offset: offset, count: count, size: self.count), in: structure,
        at: Int(clamping: offset))
    }
    return ByteView(storage: storage, start: start + Int(offset), count: Int(count))
  }

  /// Whether the view begins with `prefix`.
  @inlinable
  public func starts(with prefix: some Collection<UInt8>) -> Bool {
    guard prefix.count <= count else { return false }
    var index = 0
    for byte in prefix {
      guard self[index] == byte else { return false }
      index &+= 1
    }
    return true
  }

  /// The bytes in memory, for a C library.
  @unsafe
  @inlinable
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = start..<(start &+ count)
    defer { withExtendedLifetime(storage) {} }
    return try unsafe body(UnsafeRawBufferPointer(rebasing: storage.buffer[range]))
  }

  /// A copy as an array.
  ///
  /// - Complexity: O(n).
  public var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

  /// The bytes as text; invalid UTF-8 is replaced by U+FFFD.
  ///
  /// - Complexity: O(n).
  public var text: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}

/// Memory shared by several views, freed when the last one is released.
///
/// `@unchecked Sendable`: the memory is written only before the first view is handed out, and
/// read-only memory may be read by any number of threads.
@usableFromInline
@safe
final class ByteStorage: @unchecked Sendable {
  @usableFromInline let buffer: UnsafeRawBufferPointer
  /// Whether it is a mapped file, whose pages can be read again.
  let isMapped: Bool
  private let release: @Sendable (UnsafeRawBufferPointer) -> Void

  /// Takes ownership of `buffer`; `release` is called once.
  init(
    taking buffer: UnsafeRawBufferPointer, isMapped: Bool = false,
    release: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.isMapped = isMapped
    unsafe self.buffer = buffer
    unsafe self.release = release
  }

  convenience init(allocating count: Int) {
    let (memory, size) = unsafe TableMemory.resize(nil, from: 0, to: count)
    let buffer = unsafe UnsafeRawBufferPointer(start: memory, count: count)
    unsafe self.init(taking: buffer) {
      unsafe TableMemory.giveBack(UnsafeMutableRawPointer(mutating: $0.baseAddress), size: size)
    }
  }

  deinit { unsafe release(buffer) }
}

extension ByteView {
  /// Whether a text is empty or ends with a line feed, as each complete text of lines does.
  public var endsWithLine: Bool { isEmpty || self[count - 1] == 0x0a }
}
