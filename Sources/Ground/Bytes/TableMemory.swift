internal import Glibc

/// The memory of tables: of the C library, and from some size on ``LargeBlocks``.
///
/// Which of them a block is, its size shows, which its owner knows: a large block has more than the
/// smallest even where its elements do not fill it.
@usableFromInline
enum TableMemory {
  /// Blocks of as many bytes and more are large; new ones are full of zeros.
  @usableFromInline static var smallestLarge: Int { LargeBlocks.smallest }

  /// A block of at least `size` bytes; `old` of `oldSize` becomes part of it.
  ///
  /// - Returns: The block, and the bytes that it has.
  @unsafe
  static func resize(
    _ old: UnsafeMutableRawPointer?, from oldSize: Int, to size: Int
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
      unsafe memory = LargeBlocks.make(whole)
      if let old = unsafe old, let memory = unsafe memory {
        unsafe memory.copyMemory(from: old, byteCount: oldSize)
      }
      unsafe free(old)
    }
    guard let memory = unsafe memory else { fatalError("out of memory") }
    return unsafe (memory, whole)
  }

  /// - Parameter size: In bytes, as many as the owner has elements for.
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
