internal import Identifiers

/// The sender of the signal that ended a process.
extension CrashReport {
  /// Recognises a signal that was sent: where a fault has its address, Linux stores the sender's process and,
  /// in the upper half of a 64-bit address, its user.
  ///
  /// Source: `_kill` and `_sigfault` of `siginfo` in `include/uapi/asm-generic/siginfo.h` of Linux.
  public mutating func takeSignalSender() {
    guard reason.isSent, let address = reason.address?.value else { return }
    reason.address = nil
    guard reason.hasSender, tags[.signalSender] == nil, address != 0 else { return }
    let process = address & 0xffff_ffff
    let user = address >> 32
    setSignalSender(process: process, user: user != 0 || memory?.addressSize == 8 ? user : nil)
  }

  /// Stores the sender of the signal. A program that sends itself `SIGABRT` is left out, as `abort` does so.
  ///
  /// - Parameter user: `nil` where the system does not give it.
  public mutating func setSignalSender(process: UInt64, user: UInt64?) {
    if reason.signal == "SIGABRT", process == self.process.pid.map({ UInt64(clamping: $0) }) {
      return
    }
    tags[.signalSender] = "pid \(process)" + (user.map { ", uid \($0)" } ?? "")
  }

  /// `The signal was sent by process 1249 (user 1000)`; `nil` where the report does not name the sender.
  public var signalSenderSentence: String? {
    guard let sender = tags[.signalSender] else { return nil }
    let parts = sender.split(separator: ", ", maxSplits: 1)
    guard let first = parts.first, first.hasPrefix("pid "), let process = Int(first.dropFirst(4))
    else {
      return "The signal was sent by \(sender)"
    }
    var text = "The signal was sent by process \(process)"
    if parts.count > 1, parts[1].hasPrefix("uid "), let user = Int(parts[1].dropFirst(4)) {
      text += " (user \(user))"
    }
    return text + (process == self.process.pid ? ", the program itself" : "")
  }
}
