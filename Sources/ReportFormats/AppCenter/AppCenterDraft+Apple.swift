internal import CrashModel
internal import JSON

extension AppCenterDraft {
  /// What only `appleError` has.
  mutating func readApple() {
    readThreads()
    if log.number("errorThreadId") == nil, !report.threads.isEmpty { takeFirstThread() }
    readRegisters(crashedThread ?? report.crashedThread)
    let type = log.text("osExceptionType")
    if type?.hasPrefix("SIG") == true {
      report.reason.signal = type
    } else {
      report.reason.type = type
    }
    // A code without a name is written `#0`.
    if let code = log.text("osExceptionCode"), !code.hasPrefix("#"), code != "0" {
      report.reason.code = code
    }
    report.reason.address = log.address("osExceptionAddress").map { Address($0) }
    var exception: LanguageException?
    if let name = log.text("exceptionType") {
      exception = LanguageException(type: name, message: log.text("exceptionReason"))
    }
    // The stack on which an exception was thrown hangs on the thread that ended with it.
    for thread in log.list("threads").prefix(AppCenterLimits.threads) {
      guard let value = thread.member("exception"), value.object != nil,
        let thrown = self.exception(value)
      else { continue }
      exception = LanguageException(
        type: exception?.type ?? thrown.type, message: exception?.message ?? thrown.message,
        frames: thrown.frames, inner: thrown.inner)
      break
    }
    // A wrapper's exception is what the native one only passes on.
    if let value = log.member("exception"), value.object != nil,
      var managed = self.exception(value)
    {
      if let native = exception, native.type != managed.type {
        keepTag("exception.native", native.type)
        if managed.message == nil { managed.message = native.message }
      }
      exception = managed
    }
    if exception == nil, let reason = log.text("exceptionReason") { report.reason.message = reason }
    report.reason.exception = exception
    if report.reason.message == nil { report.reason.message = exception?.message?.cutMessage }
    if report.threads.isEmpty { report.notes.append("the report has no thread") }
  }

  /// Posts written by hand may not say which thread crashed.
  private mutating func takeFirstThread() {
    let thrown = report.threads.indices.first { index in
      log.list("threads").dropFirst(index).first?.member("exception")?.object != nil
    }
    report.crashedThread = thrown ?? 0
    report.threads[thrown ?? 0].crashed = true
    if thrown == nil { note("the log names no crashed thread; the first is taken for it") }
  }

  private mutating func readRegisters(_ crashed: Int?) {
    guard let crashed, report.threads.indices.contains(crashed) else { return }
    for member in (log.member("registers")?.object ?? []).prefix(AppCenterLimits.registers) {
      guard let value = member.value.address else { continue }
      report.threads[crashed].registers.append(Register(member.key, value))
    }
    // The order of a map says nothing.
    report.threads[crashed].registers.sort { left, right in
      Self.order(left.name, right.name)
    }
  }

  /// By name, numbers as numbers: `x2` before `x10`.
  private static func order(_ left: String, _ right: String) -> Bool {
    func parts(_ name: String) -> (Substring, Int) {
      let digits = name.reversed().prefix { $0.isNumber }.count
      let end = name.index(name.endIndex, offsetBy: -digits)
      return (name[..<end], Int(name[end...]) ?? -1)
    }
    let (one, two) = (parts(left), parts(right))
    if one.0 != two.0 { return one.0 < two.0 }
    return (one.1, left) < (two.1, right)
  }
}
