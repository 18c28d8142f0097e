internal import Glibc

/// The memory of tables: from the C library, and from a certain size on from ``LargeBlocks``.
///
/// The size, which the owner knows, tells which of them a block comes from: a large block has more
/// than the smallest large size even where its elements do not fill it.
@usableFromInline
enum TableMemory {
  /// Blocks of at least this many bytes are large.
  @usableFromInline static var smallestLarge: Int { LargeBlocks.smallest }

  /// Returns a block of at least `size` bytes that begins with the contents of `old`, of `oldSize`
  /// bytes.
  ///
  /// - Parameter isZeroed: Whether a new large block must be full of zeros.
  /// - Returns: The block and its size in bytes.
  @unsafe
  static func resize(
    _ old: UnsafeMutableRawPointer?, from oldSize: Int, to size: Int, isZeroed: Bool = false
  ) -> (UnsafeMutableRawPointer, Int) {
    guard size >= LargeBlocks.smallest else {
      guard let memory = unsafe realloc(old, max(size, 1)) else { fatalError("out of memory") }
      return unsafe (memory, size)
    }
    let whole = LargeBlocks.size(for: size)
    var memory: UnsafeMutableRawPointer?
    if let old = unsafe old, oldSize >= LargeBlocks.smallest {
      unsafe memory = LargeBlocks.grow(old, from: LargeBlocks.size(for: oldSize), to: whole)
    } else {
      unsafe memory = LargeBlocks.make(whole, isZeroed: isZeroed)
      if let old = unsafe old, let memory = unsafe memory {
        unsafe memory.copyMemory(from: old, byteCount: oldSize)
      }
      unsafe free(old)
    }
    guard let memory = unsafe memory else { fatalError("out of memory") }
    return unsafe (memory, whole)
  }

  /// - Parameter size: The size in bytes of the owner's elements.
  @unsafe
  @usableFromInline
  static func giveBack(_ block: UnsafeMutableRawPointer?, size: Int) {
    guard let block = unsafe block else { return }
    if size >= LargeBlocks.smallest {
      unsafe LargeBlocks.giveBack(block, LargeBlocks.size(for: size))
    } else {
      unsafe free(block)
    }
  }
}
