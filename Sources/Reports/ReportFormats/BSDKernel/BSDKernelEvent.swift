/// The subject of a BSD kernel's report, worded as syzkaller's titles: `panic: No chunks on the queues`,
/// `Fatal trap NUM: page fault in tern_close`.
struct BSDKernelEvent {
  /// The title without the function.
  private(set) var type: String
  private(set) var title: String
  /// The function that the report is about.
  let function: String?

  /// - Parameters:
  ///   - functions: The functions of the stack, youngest first.
  ///   - stopped: The function in which the debugger stopped.
  ///   - isNumbered: Whether the stack was printed with numbers and addresses.
  init(
    _ kind: Headline.Kind, words: String, system: BSDSystem?, locks: [String], functions: [String],
    stopped: String?, isNumbered: Bool
  ) {
    let guilty = functions.first { !BSDFunctions.machinery.contain($0) }
    let isTrap = kind == .openBSDTrap || kind == .netBSDTrap
    function = isTrap ? stopped ?? guilty : guilty
    let text = Self.parameterised(words)
    (type, title) = ("panic: \(text)", "panic: \(text)")
    switch kind {
    case .bsdTrap:
      let mode = text.firstRange(of: " while in ")?.lowerBound ?? text.endIndex
      // If frames are numbered, syzkaller keeps the mode in the title.
      type = String(isNumbered ? text[...] : text[..<mode])
      title = type
      addFunction()
    case .openBSDTrap:
      let fault = text.firstRange(of: " trap, code")?.lowerBound ?? text.endIndex
      type = text[..<fault] == "page fault" ? "uvm_fault" : String(text[..<fault])
      title = function.map { "\(type): \($0)" } ?? type
    case .bsdLockOrder:
      type = "lock order reversal"
      title = locks.count == 2 ? "witness: reversal: \(locks[0]) \(locks[1])" : type
      if locks.count == 2 { type = title }
    default:
      if let fault = Self.supervisorFault(words) {
        type = fault
        title = fault
        addFunction()
      } else {
        name(words, text, system)
      }
    }
  }

  private mutating func addFunction() {
    if let function { title += " in \(function)" }
  }

  private mutating func set(_ type: String, in function: Bool = false) {
    self.type = type
    title = type
    if function { addFunction() }
  }

  /// `fatal page fault in supervisor mode` of NetBSD.
  private static func supervisorFault(_ words: String) -> String? {
    guard words.hasPrefix("fatal "), let end = words.firstRange(of: " in supervisor mode") else {
      return nil
    }
    return String(words.dropFirst(6).prefix(upTo: end.lowerBound))
  }

  /// Names a panic by its text.
  private mutating func name(_ words: String, _ text: String, _ system: BSDSystem?) {
    if words.hasPrefix("UBSan: Undefined Behavior in ") {
      set("UBSan: Undefined Behavior", in: true)
    } else if words.hasPrefix("ASan: Unauthorized Access") {
      set("ASan: Unauthorized Access", in: true)
    } else if words.hasPrefix("MSan: Uninitialized") {
      set("MSan: Uninitialized Memory", in: true)
    } else if words.hasPrefix("ASan: Invalid access"), let at = text.firstRange(of: " at ") {
      set("panic: \(text[..<at.lowerBound])", in: true)
    } else if words.hasPrefix("No chunks on the queues for sid ") {
      set("panic: sctp: no chunks on the queues")
    } else if words.hasPrefix("sbflush_internal: ccc ") {
      set("panic: sbflush_internal: residual data")
    } else if words.hasPrefix("pfi_dynaddr_setup: dyn is ") {
      set("panic: pfi_dynaddr_setup: non-NULL dyn")
    } else if words == "sx lock still held" {
      set("panic: sx lock still held", in: true)
    } else if words.hasPrefix("lock error") {
      set("lock error", in: true)
    } else if words.hasPrefix("kernel diagnostic assertion "), let quoted = Self.assertion(words) {
      set(
        system == .openBSD
          ? "assert \"\(quoted.text)\" failed in \(quoted.file)" : "assert failed: \(quoted.text)")
    } else if let pool = Self.pool(words) {
      set(pool)
    } else if words.hasPrefix("timeout_add: to_ticks (") {
      set("panic: timeout_add: to_ticks < 0")
    } else if let lock = Self.destroyedLock(words) {
      set(lock)
    }
  }

  /// `kernel diagnostic assertion "TEXT" failed: file "/usr/src/sys/FILE", line 12`.
  private static func assertion(_ words: String) -> (text: String, file: String)? {
    guard let open = words.firstIndex(of: "\""),
      let end = words.firstRange(of: "\" failed: file \""), open < end.lowerBound
    else { return nil }
    let path = words[end.upperBound...].prefix { $0 != "\"" }
    return (
      String(words[words.index(after: open)..<end.lowerBound]),
      path.split(separator: "/").last.map(String.init) ?? String(path)
    )
  }

  /// `pool_do_get: mbufpl free list modified: page …` of OpenBSD's allocator.
  private static func pool(_ words: String) -> String? {
    for (start, end, title) in [
      ("pool_do_put: ", ": double pool_put", "pool: double put: "),
      ("pool_do_get: ", " free list modified", "pool: free list modified: "),
      (
        "pool_cache_item_magic_check: ", " cpu free list modified", "pool: cpu free list modified: "
      ),
    ] where words.hasPrefix(start) {
      let rest = words.dropFirst(start.count)
      guard let found = rest.firstRange(of: end) else { continue }
      return title + rest[..<found.lowerBound]
    }
    return nil
  }

  /// `mtx_lock() of destroyed mutex @ /usr/src/sys/kern/tern.c:12` of FreeBSD.
  private static func destroyedLock(_ words: String) -> String? {
    guard let found = words.firstRange(of: "() of destroyed "),
      let at = words.firstRange(of: " @ "), found.upperBound < at.lowerBound,
      let source = words[at.upperBound...].firstRange(of: "/sys/")
    else { return nil }
    return "panic: \(words[..<at.lowerBound]) at sys/\(words[source.upperBound...])"
  }

  /// The text without numbers and assigned values: `size = 2644 smaller than`.
  private static func parameterised(_ words: String) -> String {
    let text = KernelEvent.parameterised(words[...])
    guard text.hasPrefix("size_on_all_streams = NUM smaller than control length NUM") else {
      return text == "cleaned vnode isn't" ? text : String(text)
    }
    return "size_on_all_streams smaller than control length"
  }
}

/// Functions that are irrelevant to the bug.
enum BSDFunctions {
  /// Functions between the bug and the report.
  static let machinery = KernelFunctions([
    "kdb_*", "db_*", "ddb_*", "vpanic", "panic", "_panic", "kern_panic", "kassert_panic",
    "Debugger",
    "breakpoint", "cpu_Debugger", "panic_*", "__assert*", "kern_assert", "__mtx_assert",
    "__rw_assert",
    "_sx_assert", "__lockmgr_assert", "_rm_assert", "witness_*", "trap", "trap_*", "trap*_pfault",
    "kerntrap", "kpageflttrap", "calltrap", "alltraps*", "Xpageflt", "Xprot", "upageflttrap",
    "usertrap",
    "resume_*", "recall_trap", "data_abort", "do_el*", "handle_el*", "do_trap*", "cpu_exception*",
    "align_abort", "dblfault_handler", "print_trap", "isAlreadyReported", "HandleTypeMismatch*",
    "Handle*Overflow*", "HandlePointer*", "HandleShift*", "HandleOut*", "HandleLoad*",
    "HandleNegate*",
    "HandleBuiltin*", "HandleFunction*", "HandleNonnull*", "HandleMissing*", "HandleVLA*", "Report",
    "__ubsan_*", "ubsan_*", "kasan_*", "__asan_*", "kmsan_*", "__msan_*", "msan_*", "kcsan_*",
    "__tsan_*", "lockdebug_*", "lockdebug_abort*", "mutex_abort", "rw_abort", "mutex_panic",
    "m_copydata",
    "__rw_wlock_hard", "doreti*", "kmsan_report*", "vm_fault_trap", "uvm_fault*", "sx_destroy",
    "_mtx_destroy", "snprintf", "vsnprintf", "printf", "kprintf", "splassert_*", "assertwaitok",
  ])

  /// Functions that the processor enters on a trap.
  static let entries = KernelFunctions([
    "calltrap", "alltraps*", "handle_el1h_sync*", "Xpageflt", "Xprot",
  ])
}
