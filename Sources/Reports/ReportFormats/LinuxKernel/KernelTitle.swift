internal import Bytes

/// The title of a kernel's report, worded as by syzkaller and on the kernel's mailing lists: `KASAN:
/// slab-out-of-bounds Read in ea_get`.
struct KernelTitle {
  private let event: KernelEvent
  /// The function that the report is about, without the marks of compilers and of system calls.
  private(set) var function: String?
  /// The function's name as in the frame.
  private(set) var rawFunction: String?

  /// The number of frames that are examined.
  private static let frameLimit = 512

  var text: String {
    switch event.naming {
    case .given(let words): "\(event.type) in \(words)"
    default: function.map { "\(event.type) in \($0)\(event.suffix)" } ?? event.type
    }
  }

  /// - Parameters:
  ///   - locks: The functions that the report names after `at:`.
  ///   - frames: The frames of the stack that the report is about, without unreliable ones, youngest first,
  ///     from the instruction that failed if the report gives it.
  init(_ event: KernelEvent, locks: [String], frames: [String]) {
    self.event = event
    let frames = Array(frames.prefix(Self.frameLimit))
    switch event.naming {
    case .none, .given: return
    case .trace(let besides):
      rawFunction = Self.guilty([event.function].compactMap(\.self) + frames, besides)
    case .lock: rawFunction = Self.guilty(locks + frames, Self.workqueues)
    case .stall(let besides): rawFunction = Self.looping(frames, besides)
    case .wait: rawFunction = Self.waiting(frames)
    }
    function = rawFunction.map(Self.plain)
  }

  /// Functions that take the locks of the work that they run.
  private static let workqueues = [
    "process_one_work", "flush_workqueue", "drain_workqueue", "destroy_workqueue",
  ]

  /// The first function that is not part of the report's making.
  private static func guilty(_ names: [String], _ besides: [String]) -> String? {
    let besides = KernelFunctions(besides)
    return names.first { name in
      let plain = plain(name)
      return !KernelFunctions.machinery.contain(plain) && !besides.contain(plain)
    }
  }

  /// In a loop of several functions, a stall may be found in any of them; the one that was called to do the
  /// work is always the same.
  private static func looping(_ names: [String], _ besides: [String]) -> String? {
    let besides = KernelFunctions(besides)
    let names = names.filter {
      let plain = plain($0)
      return !KernelFunctions.machinery.contain(plain) && !besides.contain(plain)
    }
    var previous = names.first
    for name in names {
      if KernelFunctions.anchors.contain(plain(name)) {
        return name.containsBytes(of: "smp_call_function") ? "smp_call_function" : previous
      }
      previous = name
    }
    return nil
  }

  private static let waits = KernelFunctions([
    "*sched*", "*_lock*", "*_slowlock*", "*down*", "*rwsem*", "*completion*", "*kthread*", "*wait*",
    "*synchronize*", "*context_switch*", "*__switch_to*", "*cancel_delayed_work*", "*rcu_barrier*",
  ])

  /// All waits for one of these are one bug, whatever waits.
  private static let shared = [
    ("rtnl_lock", "rtnl_lock"), ("synchronize_rcu", "synchronize_rcu"),
    ("synchronize_srcu", "synchronize_rcu"), ("synchronize_net", "synchronize_rcu"),
    ("synchronize_sched", "synchronize_rcu"),
  ]

  private static func waiting(_ names: [String]) -> String? {
    for name in names {
      if let known = shared.first(where: { name.contains($0.0) }) { return known.1 }
    }
    return names.first {
      let plain = plain($0)
      return !waits.contain(plain) && !KernelFunctions.machinery.contain(plain)
    }
  }

  private static let callPrefixes = [
    "SYSC_", "SyS_", "sys_", "__x64_", "__ia32_", "__arm64_", "__riscv_", "__s390x_", "____sys_",
    "___sys_", "__sys_", "__se_", "__do_sys_", "compat_SYSC_", "compat_SyS_", "ksys_",
  ]

  /// The name without compilers' suffixes (`f.isra.0`, `f.cold`) and system call wrappers.
  static func plain(_ name: String) -> String {
    var plain = name[...]
    if let dot = plain.firstIndex(of: "."), dot > plain.startIndex { plain = plain[..<dot] }
    for prefix in callPrefixes where plain.hasPrefix(prefix) && plain.count > prefix.count {
      plain = plain.dropFirst(prefix.count)
    }
    return String(plain)
  }
}
