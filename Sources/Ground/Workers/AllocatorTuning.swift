internal import CMemory

/// How the allocator treats freed memory.
public enum AllocatorTuning {
  /// Keeps it for what is asked for next, where otherwise the system takes large blocks back and
  /// clears them anew: for a process that ends with its work, which it does faster so, in a little
  /// more memory.
  public static func keep() {
    // The largest that the library takes; it says so by giving 0, and then nothing changes.
    _ = mallopt(M_MMAP_THRESHOLD, 32 << 20)
    _ = mallopt(M_TRIM_THRESHOLD, 1 << 30)
    _ = mallopt(M_TOP_PAD, 16 << 20)
  }
}
