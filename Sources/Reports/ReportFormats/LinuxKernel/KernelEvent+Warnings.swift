internal import Bytes
internal import CrashModel

extension KernelEvent {
  /// `WARNING: CPU: 1 PID: 2 at FILE:LINE FUNCTION+0x1/0x2`, `WARNING: at FILE:LINE FUNCTION()`,
  /// `WARNING: FILE:LINE at FUNCTION+0x1/0x2, CPU#0: COMM/2`.
  static func warning(_ line: Substring) -> KernelEvent? {
    guard line.hasPrefix("WARNING: ") else { return nil }
    let text = line.dropFirst(9)
    for (words, type) in [
      ("kernel stack regs ", "WARNING: kernel stack regs has bad value"),
      ("kernel stack frame pointer ", "WARNING: kernel stack regs has bad value"),
    ] where text.hasPrefix(words) && text.containsBytes(of: "has bad ") {
      return KernelEvent(type, .handled, .none)
    }
    guard let (file, function) = location(text) else { return nil }
    var event = warning(file, function)
    if function == nil { event.file = String(file) }
    return event
  }

  /// Returns the event of a warning that names only its file, once its function is known.
  func named(by function: String?) -> KernelEvent {
    guard let file, let function else { return self }
    return Self.warning(file[...], function)
  }

  private static func warning(_ file: Substring, _ function: String?) -> KernelEvent {
    for rule in warnings
    where file.contains(rule.file) && (function?.contains(rule.function) ?? rule.function.isEmpty) {
      return KernelEvent(rule.type, .handled, .trace(besides: rule.besides))
    }
    if file.hasPrefix("mm/"), let function,
      ["kmalloc", "kvmalloc", "krealloc", "kcalloc", "kzalloc"].contains(where: {
        function.contains($0)
      })
    {
      return KernelEvent(
        "WARNING: kmalloc bug", .handled,
        .trace(besides: ["*kmalloc*", "*krealloc*", "*slab*", "*kmem*"]))
    }
    if function == "usb_submit_urb" {
      var event = KernelEvent(
        "WARNING", .handled,
        .trace(besides: [
          "usb_submit_urb", "usb_start_wait_urb", "usb_bulk_msg", "usb_interrupt_msg",
          "usb_control_msg",
        ]))
      event.suffix = "/usb_submit_urb"
      return event
    }
    return KernelEvent("WARNING", .handled, .trace(), function: function)
  }

  private struct Rule {
    let file: String
    let function: String
    let type: String
    let besides: [String]
  }

  /// Files whose warnings are about their callers.
  private static let warnings = [
    Rule(
      file: "lib/debugobjects.c", function: "debug_", type: "WARNING: ODEBUG bug",
      besides: [
        "*debug_*", "*rcu*", "*hrtimer_*", "*timer_*", "*work_*", "*percpu_*", "*vunmap*",
        "*vfree*",
        "*__free_*", "*kobject_*",
      ]),
    Rule(
      file: "mm/usercopy.c", function: "usercopy_warn", type: "WARNING: bad usercopy",
      besides: ["*usercopy*", "*__check*"]),
    Rule(
      file: "lib/kobject.c", function: "kobject_", type: "WARNING: kobject bug",
      besides: ["*kobject_*"]),
    Rule(
      file: "fs/proc/generic.c", function: "proc_register", type: "WARNING: proc registration bug",
      besides: ["*proc_*"]),
    Rule(
      file: "lib/refcount.c", function: "refcount_", type: "WARNING: refcount bug",
      besides: ["*refcount*", "*kobject_*"]),
    Rule(
      file: "kernel/locking/lockdep.c", function: "lock_", type: "WARNING: locking bug",
      besides: ["*lock_sock*", "*release_sock*"]),
    Rule(
      file: "mm/vmalloc.c", function: "__vmalloc_node", type: "WARNING: zero-size vmalloc",
      besides: []),
  ]

  /// File and function of a warning.
  private static func location(_ text: Substring) -> (file: Substring, function: String?)? {
    if let at = text.firstRange(of: " at "), text.hasPrefix("CPU: ") {
      return located(text[at.upperBound...])
    }
    if text.hasPrefix("at ") { return located(text.dropFirst(3)) }
    // `[CONDITION] FILE:LINE at FUNCTION`
    guard let at = text.firstRange(of: " at ") else { return nil }
    guard let file = text[..<at.lowerBound].split(separator: " ").last, isLocation(file) else {
      return nil
    }
    return (file, name(text[at.upperBound...]))
  }

  private static func located(_ text: Substring) -> (file: Substring, function: String?)? {
    guard let file = text.split(separator: " ").first, isLocation(file) else { return nil }
    return (file, name(text.dropFirst(file.count + 1)))
  }

  /// `FILE:12`.
  private static func isLocation(_ text: Substring) -> Bool {
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else { return false }
    let digits = text[text.index(after: colon)...]
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// An address, such as the `0x0` that some kernels print since 6.18, is not a name.
  private static func name(_ text: Substring) -> String? {
    guard !text.hasPrefix("0x") else { return nil }
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
    return name.isEmpty ? nil : String(name)
  }

  // MARK: Lock checks

  /// Findings of the lock checks, after `WARNING: ` or, before 4.11, in brackets after `INFO: `.
  ///
  /// Source: `kernel/locking/lockdep.c`.
  static func lockdep(_ line: Substring) -> KernelEvent? {
    let isWarning = line.hasPrefix("WARNING: ")
    guard isWarning || line.hasPrefix("INFO: ") else { return nil }
    let text = line.dropFirst(isWarning ? 9 : 6)
    for (words, after) in deadlocks where text.containsBytes(of: words) {
      return KernelEvent("possible deadlock", .handled, .lock(after: after))
    }
    let lead = isWarning ? "WARNING" : "INFO"
    if text.hasPrefix("inconsistent lock state") {
      return KernelEvent("inconsistent lock state", .handled, .lock(after: " takes:"))
    }
    if text.hasPrefix("suspicious RCU usage")
      || text.hasPrefix("suspicious rcu_dereference_check() usage")
    {
      return KernelEvent(
        "\(lead): suspicious RCU usage", .handled, .trace(besides: ["*rcu*", "*kmem*", "*slab*"]))
    }
    if text.containsBytes(of: "still has locks held!") {
      return KernelEvent("\(lead): still has locks held", .handled, .lock(after: "held by "))
    }
    for (words, after) in [
      ("bad unlock balance", "to release lock"), ("held lock freed", ""),
      ("lock held when returning to user space", ""), ("Nested lock was not taken", ""),
    ] where text.hasPrefix(words) {
      let words = words.hasPrefix("N") ? "nested lock was not taken" : words
      return KernelEvent("\(lead): \(words)", .handled, .lock(after: after))
    }
    return nil
  }

  private static let deadlocks: [(words: StaticString, after: String)] = [
    ("possible circular locking dependency", "is trying to acquire lock"),
    ("possible irq lock inversion dependency", "changed the state of lock"),
    ("possible recursive locking", "is trying to acquire lock"),
    ("-safe -> ", "is trying to acquire"),
  ]
}
