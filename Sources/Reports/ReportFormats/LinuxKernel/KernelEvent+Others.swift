internal import Bytes
internal import CrashModel

/// Undefined behaviour, hung tasks, lockups, out of memory, and other complaints of the kernel.
extension KernelEvent {
  static func ubsan(_ text: Substring) -> KernelEvent? {
    guard let mark = text.firstRange(of: " in ") ?? text.firstRange(of: ": ") else { return nil }
    let kind = text[..<mark.lowerBound]
    let type = kind.hasPrefix("Undefined behaviour") ? "undefined-behaviour" : String(kind)
    return KernelEvent(
      "UBSAN: \(type)", .handled, .trace(besides: ["*ubsan*", "*overflow*"]))
  }

  static func information(_ line: Substring) -> KernelEvent? {
    guard line.hasPrefix("INFO: ") else { return nil }
    let text = line.dropFirst(6)
    if text.hasPrefix("task "), text.containsBytes(of: "blocked"),
      text.containsBytes(of: " for more than ")
    {
      return KernelEvent("INFO: task hung", .hang, .wait)
    }
    if text.hasPrefix("task "), text.containsBytes(of: "can't die for more than ") {
      return KernelEvent("INFO: task can't die", .hang, .trace(besides: ["*schedule*"]))
    }
    if text.hasPrefix("rcu"), text.containsBytes(of: "detected"), text.containsBytes(of: " stall") {
      return KernelEvent(
        "INFO: rcu detected stall", .hang, .stall(besides: ["*apic_timer_interrupt*", "*rcu*"]))
    }
    if text.hasPrefix("trying to register non-static key") {
      return KernelEvent(
        "INFO: trying to register non-static key", .handled,
        .trace(besides: ["*stack*", "*lock*", "*IRQ*"]))
    }
    return nil
  }

  static func other(_ text: Substring) -> KernelEvent? {
    if text.hasPrefix("UBSAN: ") { return ubsan(text.dropFirst(7)) }
    if text.hasPrefix("Watchdog detected hard LOCKUP") {
      return KernelEvent("hard lockup", .hang, .stall())
    }
    if text.containsBytes(of: " invoked oom-killer: ") || text.hasSuffix(" invoked oom-killer:") {
      return KernelEvent("Out of memory", .oom, .none)
    }
    if text.hasPrefix("Out of memory") || text.hasPrefix("Memory cgroup out of memory") {
      return KernelEvent("Out of memory", .oom, .none, continues: true)
    }
    if text.containsBytes(of: ": page allocation failure: order:")
      || text.containsBytes(of: ": page allocation failure. order:")
    {
      return KernelEvent("page allocation failure", .handled)
    }
    if text.hasPrefix("unreferenced object 0x") {
      return KernelEvent("memory leak", .handled, .trace(besides: leaks), continues: true)
    }
    if text.hasPrefix("irq "), text.containsBytes(of: ": nobody cared") {
      return KernelEvent("irq: nobody cared", .handled, .none)
    }
    if text.hasPrefix("unregister_netdevice: waiting for ") {
      return KernelEvent("unregister_netdevice: waiting for DEV to become free", .hang, .none)
    }
    if text.containsBytes(of: "Machine Check Exception: ") {
      return KernelEvent("Machine Check Exception", .crash, .none)
    }
    if text.hasPrefix("Machine check events logged") {
      return KernelEvent("Machine check events logged", .other, .none)
    }
    if text.hasPrefix("VFS: Close: file count is 0") {
      return KernelEvent("VFS: Close: file count is zero (use-after-free)", .handled, .none)
    }
    if text.hasPrefix("VFS: Busy inodes after unmount") {
      return KernelEvent("VFS: Busy inodes after unmount (use-after-free)", .handled, .none)
    }
    if text.hasPrefix("RTNL: assertion failed at ") {
      return KernelEvent("RTNL: assertion failed", .handled)
    }
    return nil
  }
}
