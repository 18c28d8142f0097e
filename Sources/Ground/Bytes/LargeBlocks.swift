internal import CMemory
internal import Glibc
internal import Synchronization

/// Memory for large tables and sections: mappings of their own, in large pages where the system has
/// them.
///
/// A short run is spent on touching memory for the first time and on copying what grows. A large page
/// is touched once for two megabytes; and a block that begins at one grows by moving its pages, not
/// what is in them.
enum LargeBlocks {
  private static let pageSize = 1 << 21
  /// Blocks of fewer bytes are as well without.
  static let smallest = 3 << 19

  /// The size that a block gets for `size` bytes.
  static func size(for size: Int) -> Int { (size + pageSize - 1) & ~(pageSize - 1) }

  /// - Parameters:
  ///   - size: A multiple of a large page.
  ///   - isZeroed: Whether it must be full of zeros.
  /// - Returns: A block, or `nil` where there is no memory.
  @unsafe
  static func make(_ size: Int, isZeroed: Bool) -> UnsafeMutableRawPointer? {
    if let piece = BlockPool.shared.withLock({ $0.take(size) }),
      let known = unsafe UnsafeMutableRawPointer(bitPattern: piece.address)
    {
      let block = unsafe piece.size < size ? grow(known, from: piece.size, to: size) : known
      if let block = unsafe block {
        if isZeroed { unsafe memset(block, 0, piece.size) }
        return unsafe block
      }
      unsafe munmap(known, piece.size)
    }
    guard let block = unsafe reserve(size, PROT_READ | PROT_WRITE) else { return nil }
    // Where there are no large pages, nothing changes.
    _ = unsafe madvise(block, size, MADV_HUGEPAGE)
    return unsafe block
  }

  /// Makes a block larger, which moves it.
  ///
  /// - Returns: `nil` where there is no memory; then the block is as it was.
  @unsafe
  static func grow(
    _ block: UnsafeMutableRawPointer, from size: Int, to larger: Int
  ) -> UnsafeMutableRawPointer? {
    guard let target = unsafe reserve(larger, PROT_NONE) else { return nil }
    let moved = unsafe memory_move(block, size, larger, target)
    if unsafe moved == MAP_FAILED {
      unsafe munmap(target, larger)
      return nil
    }
    return unsafe moved
  }

  @unsafe
  static func giveBack(_ block: UnsafeMutableRawPointer, _ size: Int) {
    let piece = BlockPool.Piece(address: UInt(bitPattern: block), size: size)
    if !BlockPool.shared.withLock({ $0.keep(piece) }) { unsafe munmap(block, size) }
  }

  /// Address space that begins at a large page.
  @unsafe
  private static func reserve(_ size: Int, _ protection: Int32) -> UnsafeMutableRawPointer? {
    let wide = size + pageSize
    guard
      let start = unsafe mmap(
        nil, wide, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    let before = -Int(bitPattern: start) & (pageSize - 1)
    let block = unsafe start + before
    if before > 0 { unsafe munmap(start, before) }
    unsafe munmap(block + size, wide - before - size)
    return unsafe block
  }
}
