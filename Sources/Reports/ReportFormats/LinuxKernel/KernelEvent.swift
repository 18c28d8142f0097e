internal import Bytes
internal import CrashModel

/// The contents of a kernel report's first line: the kind of bug, and how its function is found.
struct KernelEvent {
  /// The position of the function that a report is about.
  enum Naming: Equatable {
    /// None: the text is the title.
    case none
    /// The first frame that is not machinery and does not match these patterns.
    case trace(besides: [String] = [])
    /// The function that ran for too long: the one before the code that dispatches work.
    case stall(besides: [String] = [])
    /// The function in which a task waits.
    case wait
    /// `at: FUNCTION` after this text.
    case lock(after: String)
    /// In the report's text.
    case given(String)
  }

  /// The start of the title: `KASAN: slab-out-of-bounds Read`.
  var type: String
  var kind: ReportKind
  var naming: Naming
  /// The function that the first line itself names.
  var function: String?
  /// The location of a warning whose line names no function: the instruction's function decides.
  var file: String?
  /// Whether the line continues the report of another.
  var continues = false
  /// The types of the reports that it continues; empty for any.
  var follows: [String] = []
  /// The text after the function in the title.
  var suffix = ""
  /// Whether the frames follow without a heading.
  var framesFollow = false

  init(
    _ type: String, _ kind: ReportKind = .crash, _ naming: Naming = .trace(),
    function: String? = nil, continues: Bool = false
  ) {
    self.type = type
    self.kind = kind
    self.naming = naming
    self.function = function
    self.continues = continues
  }

  /// - Parameters:
  ///   - text: A line without its prefix.
  ///   - isKernel: Whether the prefix shows that the kernel wrote it.
  init?(_ text: String, isKernel: Bool) {
    var text = Substring(text)
    while let lead = Self.leads.first(where: { text.hasPrefix($0) }) {
      text = text.dropFirst(lead.count)
    }
    guard
      let event = Self.bug(text, isKernel) ?? Self.lockdep(text) ?? Self.warning(text)
        ?? Self.information(text) ?? Self.panic(text) ?? Self.trap(text) ?? Self.other(text)
    else { return nil }
    self = event
  }

  /// Text that may precede the message.
  static let leads = [
    "[ ", "rcu: ", "watchdog: ", "NMI watchdog: ", "mce: ", "[Hardware Error]: ", "kmemleak: ",
  ]

  // MARK: BUG

  private static func bug(_ line: Substring, _ isKernel: Bool) -> KernelEvent? {
    if line.hasPrefix("kernel BUG at ") || line.hasPrefix("Kernel BUG at ") {
      return bugOn(line.dropFirst(14))
    }
    if line.hasPrefix("BUG ") { return slab(line.dropFirst(4)) }
    guard line.hasPrefix("BUG: ") else { return nil }
    let text = line.dropFirst(5)
    if let event = sanitizer(text) ?? fault(text) { return event }
    for (words, type, kind, naming) in bugs where text.hasPrefix(words) {
      return KernelEvent(type, kind, naming)
    }
    if text.hasPrefix("using "), let end = text.firstRange(of: "() in preemptible") {
      return KernelEvent(
        "BUG: \(text[..<end.lowerBound])() in preemptible code", .handled,
        .trace(besides: ["*preempt*", "debug_*", "*processor_id*", "*this_cpu*"]))
    }
    if text.containsBytes(of: "still has locks held!") {
      return KernelEvent("BUG: still has locks held", .handled, .lock(after: "held by "))
    }
    if text.containsBytes(of: "stack guard page was hit at") {
      return KernelEvent("BUG: stack guard page was hit", .crash, .stall())
    }
    if text.hasPrefix("Dentry "), text.containsBytes(of: " still in use") {
      return KernelEvent("BUG: Dentry still in use", .handled, .given("unmount"))
    }
    guard isKernel, !text.isEmpty else { return nil }
    return KernelEvent("BUG: \(parameterised(text))", .crash)
  }

  private static let bugs: [(words: String, type: String, kind: ReportKind, naming: Naming)] = [
    ("soft lockup", "BUG: soft lockup", .hang, .stall()),
    ("workqueue lockup", "BUG: workqueue lockup", .hang, .none),
    (
      "workqueue leaked lock or atomic", "BUG: workqueue leaked lock or atomic", .handled,
      .lock(after: "last function: ")
    ),
    ("spinlock lockup", "BUG: spinlock lockup suspected", .hang, spin),
    ("spinlock recursion", "BUG: spinlock recursion", .crash, spin),
    ("spinlock cpu recursion", "BUG: spinlock cpu recursion", .crash, spin),
    ("spinlock already unlocked", "BUG: spinlock already unlocked", .handled, spin),
    ("spinlock bad magic", "BUG: spinlock bad magic", .handled, spin),
    ("spinlock wrong owner", "BUG: spinlock wrong owner", .handled, spin),
    ("spinlock wrong CPU", "BUG: spinlock wrong CPU", .handled, spin),
    ("rwlock lockup", "BUG: rwlock lockup suspected", .hang, spin),
    ("rwlock recursion", "BUG: rwlock recursion", .crash, spin),
    ("rwlock bad magic", "BUG: rwlock bad magic", .handled, spin),
    (
      "scheduling while atomic", "BUG: scheduling while atomic", .handled,
      .trace(besides: ["*schedule*"])
    ),
    (
      "sleeping function called from invalid context",
      "BUG: sleeping function called from invalid context", .handled, .trace()
    ),
    ("bad unlock balance", "BUG: bad unlock balance", .handled, .lock(after: "to release lock")),
    ("held lock freed", "BUG: held lock freed", .handled, .lock(after: "")),
    (
      "lock held when returning to user space", "BUG: lock held when returning to user space",
      .handled, .lock(after: "")
    ),
    ("memory leak", "memory leak", .handled, .trace(besides: leaks)),
    ("Bad rss-counter state", "BUG: Bad rss-counter state", .handled, .none),
    ("non-zero nr_ptes on freeing mm", "BUG: non-zero nr_ptes on freeing mm", .handled, .none),
    ("non-zero nr_pmds on freeing mm", "BUG: non-zero nr_pmds on freeing mm", .handled, .none),
    (
      "non-zero pgtables_bytes on freeing mm", "BUG: non-zero pgtables_bytes on freeing mm",
      .handled, .none
    ),
    ("Bad page state", "BUG: Bad page state", .handled, .none),
    ("Bad page map", "BUG: Bad page map", .handled, .none),
    ("Bad page cache", "BUG: Bad page cache", .handled, .none),
    (
      "Invalid wait context", "WARNING: locking bug", .handled,
      .trace(besides: ["*lock_sock*", "*release_sock*"])
    ),
    ("MAX_LOCKDEP_", "BUG: MAX_LOCKDEP too low!", .handled, .none),
    ("MAX_LOCK_DEPTH too low", "BUG: MAX_LOCK_DEPTH too low!", .handled, .none),
    ("MAX_STACK_TRACE_ENTRIES too low", "BUG: MAX_STACK_TRACE_ENTRIES too low!", .handled, .none),
  ]

  private static let spin = Naming.trace(besides: ["*spin_*", "*_lock*", "*_unlock*"])
  static let leaks = [
    "*kmemleak*", "*mmap*", "*kmem*", "*slab*", "*alloc*", "*create_object*", "*idr_get*",
    "*list_lru_init*", "*kasprintf*", "*pcpu_create*", "*strdup*", "*strndup*", "*memdup*",
    "*debug_objects_mem_init*",
  ]

  /// `FILE:LINE!`.
  private static func bugOn(_ location: Substring) -> KernelEvent {
    if location.hasPrefix("mm/usercopy.c") {
      return KernelEvent("BUG: bad usercopy", .crash, .trace(besides: ["*usercopy*", "*__check*"]))
    }
    if location.hasPrefix("lib/list_debug.c") { return KernelEvent("BUG: corrupted list", .crash) }
    return KernelEvent("kernel BUG", .crash, .trace(besides: ["skb_*"]))
  }

  /// `CACHE (Not tainted): WHAT`, of the slab allocator.
  private static func slab(_ text: Substring) -> KernelEvent? {
    guard let open = text.firstRange(of: " ("), let close = text.firstRange(of: "): "),
      open.upperBound < close.lowerBound, text[open.upperBound...].containsBytes(of: "ainted")
    else { return nil }
    // Before 4.10 KASAN used the text of the allocator.
    if text[close.upperBound...].hasPrefix("kasan: ") { return KernelEvent("BUG", continues: true) }
    return KernelEvent(
      "BUG: \(parameterised(text[close.upperBound...]))", .crash, .trace(besides: ["*free*"]))
  }

  // MARK: Sanitizers

  private static func sanitizer(_ text: Substring) -> KernelEvent? {
    guard let colon = text.firstRange(of: ": "), text.hasPrefix("K") else { return nil }
    let rest = text[colon.upperBound...]
    switch text[..<colon.lowerBound] {
    case "KASAN": return kasan(rest)
    case "KMSAN":
      var event = access(
        "KMSAN", rest,
        besides: [
          "*alloc_skb*", "netlink_ack", "netlink_rcv_skb", "crypto_*", "aes*", "*_encrypt",
          "*_decrypt",
        ])
      event.framesFollow = true
      return event
    case "KFENCE":
      var event = access("KFENCE", rest, besides: [])
      for words in ["use-after-free", "out-of-bounds"]
      where event.type.hasPrefix("KFENCE: \(words) ") {
        event.type = "KFENCE: \(words)"
      }
      event.framesFollow = true
      return event
    case "KCSAN":
      // `data-race in f / g`: both are the title.
      guard let mark = rest.firstRange(of: " in ") else {
        return KernelEvent("KCSAN: \(parameterised(rest))", .handled)
      }
      let functions = rest[mark.upperBound...].split(separator: "+", maxSplits: 1).first ?? ""
      return KernelEvent(
        "KCSAN: \(rest[..<mark.lowerBound])", .handled, .given(String(functions)))
    default: return nil
    }
  }

  private static func kasan(_ text: Substring) -> KernelEvent {
    for words in ["double-free or invalid-free", "double-free", "invalid-free"]
    where text.hasPrefix(words) {
      var event = access("KASAN", text, besides: ["*slab_*", "*kfree*", "*vunmap*", "*vfree*"])
      event.type = "KASAN: invalid-free"
      return event
    }
    return access(
      "KASAN", text, besides: ["*kernel_fault*", "*tag_check*", "*mem_abort*", "el1_*", "el1h_*"])
  }

  /// `KIND in FUNCTION+0x1/0x2`, `KIND on address 0`.
  private static func access(_ tool: String, _ text: Substring, besides: [String]) -> KernelEvent {
    for words in [" in ", " on address "] {
      guard let mark = text.firstRange(of: words) else { continue }
      let name = text[mark.upperBound...].split { "+ ".contains($0) }.first.map(String.init)
      return KernelEvent(
        "\(tool): \(text[..<mark.lowerBound])", .crash, .trace(besides: besides),
        function: words == " in " ? name : nil)
    }
    return KernelEvent("\(tool): \(parameterised(text))", .crash, .trace(besides: besides))
  }

  // MARK: Faults

  private static func fault(_ text: Substring) -> KernelEvent? {
    let lower = text.prefix(64).lowercased()
    if lower.hasPrefix("unable to handle kernel paging request")
      || lower.hasPrefix("unable to handle page fault")
      || lower.hasPrefix("unable to handle kernel data access")
      || lower.hasPrefix("unable to handle kernel instruction fetch")
      || lower.hasPrefix("unable to handle kernel unaligned access")
    {
      return KernelEvent("BUG: unable to handle kernel paging request")
    }
    if lower.hasPrefix("unable to handle kernel null pointer")
      || lower.hasPrefix("kernel null pointer dereference")
    {
      return KernelEvent("BUG: unable to handle kernel NULL pointer dereference")
    }
    if lower.hasPrefix("unable to handle kernel access to user memory") {
      return KernelEvent("BUG: unable to handle kernel access to user memory")
    }
    if lower.hasPrefix("unable to handle kernel pointer dereference") {
      return KernelEvent("BUG: unable to handle kernel pointer dereference")
    }
    if lower.hasPrefix("unable to handle kernel") {
      return KernelEvent("BUG: unable to handle kernel")
    }
    return nil
  }

  private static func trap(_ line: Substring) -> KernelEvent? {
    var text = line
    // `CPU 0 Unable to handle kernel paging request`, of MIPS.
    if text.hasPrefix("CPU "), let found = text.firstRange(of: " Unable to handle kernel") {
      text = text[text.index(after: found.lowerBound)...]
    }
    if text.hasPrefix("Unable to handle kernel") { return fault(text) }
    if text.hasPrefix("Oops: ") || text.hasPrefix("Oops - ") {
      if let event = processorTrap(text.dropFirst(6)) { return event }
      guard text.containsBytes(of: " [#") || text.containsBytes(of: ", sig: ") else { return nil }
      return KernelEvent("Oops", continues: true)
    }
    if text.hasPrefix("Internal error: ") {
      return KernelEvent("Internal error", continues: true)
    }
    if text.hasPrefix("Unhandled fault: ") { return KernelEvent("Unhandled fault") }
    if text.hasPrefix("Alignment trap: ") { return KernelEvent("Alignment trap") }
    if text.hasPrefix("PANIC: double fault") { return KernelEvent("PANIC: double fault") }
    return processorTrap(text)
  }

  /// `invalid opcode: 0000 [#1] SMP`, of x86 and s390.
  private static func processorTrap(_ text: Substring) -> KernelEvent? {
    guard let number = text.firstRange(of: " [#"), let colon = text.firstRange(of: ": ") else {
      return nil
    }
    let name = text.split { ":,".contains($0) }.first ?? ""
    let digits = text[..<number.lowerBound].split(separator: " ")
    guard colon.lowerBound < number.lowerBound, name.utf8.count < 40,
      name.utf8.allSatisfy({
        $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a || $0 == 0x20 || $0 == 0x5f || $0 == 0x2d
      }),
      digits.contains(where: { $0.count == 4 && UInt16($0, radix: 16) != nil })
    else { return nil }
    switch name {
    case "general protection fault": return KernelEvent("general protection fault")
    case "stack segment": return KernelEvent("stack segment fault")
    case "divide error", "divide_error": return KernelEvent("divide error")
    case "invalid opcode": return KernelEvent("invalid opcode", continues: true)
    case "illegal operation", "int3", "Oops", "monitor event", "kernel BUG":
      return KernelEvent(String(name), continues: true)
    default: return KernelEvent(String(name))
    }
  }

  // MARK: Panics

  private static func panic(_ text: Substring) -> KernelEvent? {
    guard text.hasPrefix("Kernel panic") else { return nil }
    guard let mark = text.firstRange(of: "not syncing: ") else { return nil }
    let words = text[mark.upperBound...]
    if words.hasPrefix("stack-protector: ") {
      let location = words.firstRange(of: "corrupted in: ").map { words[$0.upperBound...] } ?? ""
      let function = location.containsBytes(of: "+0x") ? location.split(separator: "+").first : nil
      return KernelEvent(
        "kernel panic: stack is corrupted", .crash, .trace(besides: ["*stack_chk*"]),
        function: function.map(String.init))
    }
    if words.hasPrefix("corrupted stack end") {
      return KernelEvent(
        "kernel panic: corrupted stack end", .crash,
        .stall(besides: ["*schedule*", "*retint_kernel*"]))
    }
    if words.hasPrefix("kernel stack overflow") {
      return KernelEvent("kernel stack overflow", .crash, .stall(besides: ["*bad_stack*"]))
    }
    if words.hasPrefix("Attempted to kill init!") {
      return KernelEvent("kernel panic: Attempted to kill init!", .crash, .none)
    }
    if words.hasPrefix("Couldn't open N_TTY ldisc") {
      return KernelEvent("kernel panic: Couldn't open N_TTY ldisc", .crash, .none)
    }
    if words.hasPrefix("UBSAN: "), let event = ubsan(words.dropFirst(7)) { return event }
    let end = ends.first { words.hasPrefix($0.words) }
    var text = parameterised(words)
    if let dots = text.firstRange(of: " ..."), dots.upperBound == text.endIndex {
      text = String(text[..<dots.lowerBound])
    }
    var event = KernelEvent("kernel panic: \(text)", .crash, .none, continues: end != nil)
    event.follows = end?.follows ?? []
    return event
  }

  private static let memory = ["Out of memory"]
  private static let machineChecks = ["Machine Check Exception", "Machine check events logged"]

  /// Panics at the end of other reports, with the types of those; empty for any.
  private static let ends: [(words: String, follows: [String])] = [
    ("Fatal exception", []), ("panic_on_warn set", []), ("kernel: panic_on_warn", []),
    ("hung_task: blocked tasks", []), ("softlockup: hung tasks", []), ("Hard LOCKUP", []),
    ("hardlockup", []), ("RCU Stall", []), ("Oops: Fatal exception", []),
    ("Attempted to kill the idle task", []), ("Aiee, killing interrupt handler", []),
    ("KASAN: panic_on_warn", []), ("kasan.fault=panic set", []), ("KCSAN: panic_on_warn", []),
    ("KMSAN: panic_on_warn", []), ("UBSAN: panic_on_warn", []),
    ("scheduling while atomic: panic_on_warn", []), ("Asynchronous SError Interrupt", []),
    ("Unrecoverable exception", []), ("Unable to continue", []),
    ("synchronous external abort", []),
    ("Out of memory", memory), ("System is deadlocked on memory", memory),
    ("Fatal Machine check", machineChecks), ("Fatal machine check", machineChecks),
    ("Machine check", machineChecks),
  ]

  /// The text without numbers, which differ from report to report.
  static func parameterised(_ text: Substring) -> String {
    var result = ""
    var index = text.startIndex
    var isInWord = false
    let text = text.prefix(300)
    while index < text.endIndex {
      let character = text[index]
      if !isInWord, character.isASCII, character.isNumber {
        let digits = text[index...].prefix { $0.isASCII && ($0.isHexDigit || $0 == "x") }
        let isHexadecimal = digits.hasPrefix("0x") || digits.count >= 8
        let number = isHexadecimal ? digits : digits.prefix { $0.isNumber }
        result += isHexadecimal ? "ADDR" : "NUM"
        index = text.index(index, offsetBy: number.count)
        isInWord = false
        continue
      }
      result.append(character)
      isInWord = character.isLetter || character.isNumber || character == "_"
      index = text.index(after: index)
    }
    while result.last?.isWhitespace == true { result.removeLast() }
    return result
  }
}
