/// Messages and functions of libraries that end a process whose memory is damaged.
enum AbortText {
  /// The allocator's message, if `message` is one.
  ///
  /// Source: calls of `malloc_printerr` in glibc, `malloc/malloc.c`; `bsd/malloc.c` of musl prints nothing;
  /// `malloc_zone_error` of Apple.
  static func heap(_ message: String) -> String? {
    let line = message.split(whereSeparator: \.isNewline).first { line in
      heapMarks.contains { line.contains($0) }
    }
    return line.map { String($0.prefix(200)) }
  }

  private static let heapMarks = [
    "malloc(): ", "free(): ", "realloc(): ", "calloc(): ", "malloc_consolidate(): ",
    "munmap_chunk(): ", "mremap_chunk(): ", "sysmalloc: ", "double free or corruption",
    "corrupted size vs. prev_size", "corrupted double-linked list", "break adjusted to free malloc",
    "pointer being freed was not allocated", "Heap corruption detected",
    "incorrect checksum for freed object", "Scudo ERROR: corrupted chunk header",
    "Scudo ERROR: invalid chunk state", "chunk is corrupted", "heap corruption detected by",
  ]

  /// Functions that end the process when the allocator's data is corrupt.
  static let heapCheckers: Set<String> = [
    "malloc_printerr", "munmap_chunk", "malloc_error_break", "malloc_zone_error",
    "RtlReportCriticalFailure", "RtlpHeapHandleError",
  ]

  static func isStackSmashing(_ message: String) -> Bool {
    message.contains("stack smashing detected") || message.contains("stack corruption detected")
  }

  /// Functions that end the process when a canary is wrong.
  static let stackCheckers: Set<String> = [
    "__stack_chk_fail", "__stack_chk_fail_local", "__report_gsfailure", "__security_check_cookie",
  ]
}
