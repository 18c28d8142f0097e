/// A growing row of plain values in memory of its own, for loops that meet millions of them.
///
/// It has one owner and copies only on growth, so that adding an element costs a comparison and a
/// store; every access is checked.
@safe
public struct Table<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var capacity: Int
  @usableFromInline var used: Int

  @inlinable
  public init(minimumCapacity: Int = 0) {
    used = 0
    unsafe (base, capacity) = Self.memory(for: Swift.max(minimumCapacity, 0))
  }

  /// A table of `count` times `element`.
  @inlinable
  public init(repeating element: Element, count: Int) {
    let isZero = unsafe withUnsafeBytes(of: element) { unsafe $0.allSatisfy { $0 == 0 } }
    used = 0
    unsafe (base, capacity) = Self.memory(for: Swift.max(count, 0), isZeroed: isZero)
    if isZero, isLarge { used = count } else { resize(to: count, filling: element) }
  }

  @inlinable
  var isLarge: Bool { capacity &* MemoryLayout<Element>.stride >= TableMemory.smallestLarge }

  @inlinable
  deinit { unsafe TableMemory.giveBack(base, size: capacity &* MemoryLayout<Element>.stride) }

  @inlinable public var count: Int { used }
  @inlinable public var isEmpty: Bool { used == 0 }
  @inlinable public var last: Element? { used == 0 ? nil : self[used &- 1] }

  /// - Complexity: O(1) on average.
  @inlinable
  public mutating func append(_ element: Element) {
    if used == capacity { grow(to: used &+ 1) }
    unsafe base.advanced(by: used).initialize(to: element)
    used &+= 1
  }

  @inlinable
  public mutating func append(contentsOf elements: Span<Element>) {
    if elements.count > capacity &- used { grow(to: used + elements.count) }
    unsafe elements.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe base.advanced(by: used).initialize(from: start, count: source.count)
    }
    used &+= elements.count
  }

  /// The element at `index`; traps outside the table.
  @inlinable
  public subscript(index: Int) -> Element {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: used))
      return unsafe base[index]
    }
    set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: used))
      unsafe base[index] = newValue
    }
  }

  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element {
    precondition(used > 0)
    used &-= 1
    return unsafe base[used]
  }

  /// Puts `element` before the one at `index`.
  ///
  /// - Complexity: O(count - index).
  @inlinable
  public mutating func insert(_ element: Element, at index: Int) {
    precondition(index >= 0 && index <= used)
    append(element)
    var target = used &- 1
    while target > index {
      unsafe base[target] = unsafe base[target &- 1]
      target &-= 1
    }
    unsafe base[index] = element
  }

  /// Empties the table and keeps its memory.
  @inlinable
  public mutating func removeAll() { used = 0 }

  /// Makes room for `count` elements in all.
  @inlinable
  public mutating func reserve(_ count: Int) {
    if count > capacity { grow(to: count) }
  }

  /// Drops what follows the first `count` elements.
  @inlinable
  public mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= used)
    used = count
  }

  /// Grows or shrinks to `count` elements; new ones are `element`.
  @inlinable
  public mutating func resize(to count: Int, filling element: Element) {
    if count > capacity { grow(to: count) }
    if count > used {
      unsafe base.advanced(by: used).initialize(repeating: element, count: count &- used)
    }
    used = count
  }

  /// Sets the first `count` elements to `element`, growing where needed.
  @inlinable
  public mutating func reset(to element: Element, count: Int) {
    used = 0
    resize(to: count, filling: element)
  }

  /// The elements, borrowed.
  @inlinable
  public var span: Span<Element> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span(_unsafeStart: base, count: used)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Gives up the memory, which the caller gives back.
  @unsafe
  consuming func release() -> (buffer: UnsafeMutableBufferPointer<Element>, size: Int) {
    let buffer = unsafe UnsafeMutableBufferPointer(start: base, count: used)
    let size = capacity &* MemoryLayout<Element>.stride
    discard self
    return unsafe (buffer, size)
  }

  @inline(never)
  @usableFromInline
  mutating func grow(to needed: Int) {
    // A large block grows without being copied.
    let larger = Swift.max(needed, capacity + (isLarge ? capacity / 2 : capacity), 16)
    unsafe (base, capacity) = Self.memory(for: larger, in: base, capacity: capacity)
  }

  /// Memory for `count` elements or some more; `old` becomes part of it.
  @inline(never)
  @usableFromInline
  static func memory(
    for count: Int, in old: UnsafeMutablePointer<Element>? = nil, capacity: Int = 0,
    isZeroed: Bool = false
  ) -> (UnsafeMutablePointer<Element>, Int) {
    precondition(MemoryLayout<Element>.alignment <= 16)
    let stride = MemoryLayout<Element>.stride
    let (memory, size) = unsafe TableMemory.resize(
      old, from: capacity * stride, to: count * stride, isZeroed: isZeroed)
    return unsafe (memory.assumingMemoryBound(to: Element.self), size / stride)
  }
}

/// A table has one owner, which alone can change it: what may be sent is the elements' matter.
extension Table: @unchecked Sendable where Element: Sendable {}

extension Table<UInt8> {
  @inlinable
  public mutating func append(contentsOf bytes: RawSpan) {
    if bytes.byteCount > capacity &- used { grow(to: used + bytes.byteCount) }
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: base.advanced(by: used), count: source.count)
        .copyMemory(from: source)
    }
    used &+= bytes.byteCount
  }
}

extension Table<UInt8> {
  /// Appends the bytes of a number, the lowest first.
  @inlinable
  @inline(__always)
  public mutating func append(littleEndian number: some FixedWidthInteger & BitwiseCopyable) {
    let size = number.bitWidth / 8
    if capacity &- used < size { grow(to: used &+ size) }
    unsafe UnsafeMutableRawPointer(base).storeBytes(
      of: number.littleEndian, toByteOffset: used, as: type(of: number))
    used &+= size
  }
}

extension ByteView {
  /// The bytes of `table`, whose memory the view takes over.
  public init(taking table: consuming Table<UInt8>) {
    let (buffer, size) = unsafe table.release()
    let storage = unsafe ByteStorage(taking: UnsafeRawBufferPointer(buffer)) {
      unsafe TableMemory.giveBack(UnsafeMutableRawPointer(mutating: $0.baseAddress), size: size)
    }
    self.init(storage: storage, start: 0, count: buffer.count)
  }
}
