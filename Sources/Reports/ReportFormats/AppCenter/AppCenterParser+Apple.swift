internal import CrashModel
internal import Identifiers
internal import JSON

extension AppCenterParser {
  /// Members that only `appleError` has.
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
    // The stack on which an exception was thrown belongs to the thread that ended with it.
    if let value = thrownException, let thrown = self.exception(value) {
      exception = LanguageException(
        type: exception?.type ?? thrown.type, message: exception?.message ?? thrown.message,
        frames: thrown.frames, inner: thrown.inner)
    }
    if exception == nil { report.reason.message = log.text("exceptionReason")?.cutMessage }
    if let value = log.member("exception"), value.object != nil,
      let managed = self.exception(value)
    {
      exception = joined(exception, with: managed)
    }
    report.reason.exception = exception
    if report.reason.message == nil { report.reason.message = exception?.message?.cutMessage }
    if report.threads.isEmpty { report.notes.append("the report has no thread") }
  }

  /// The exception of the crashed thread, or of the first that has one.
  private var thrownException: JSONValue? {
    let threads = log.list("threads").prefix(AppCenterLimits.threads)
    let id = log.number("errorThreadId")
    let crashed = threads.first { id != nil && $0.number("id") == id }
    return ([crashed].compactMap(\.self) + threads).lazy.compactMap { $0.member("exception") }
      .first { $0.object != nil }
  }

  /// A wrapper's exception is the report's, since the native one only passes it on and becomes an additional
  /// stack. Without a stack of its own it is a cause of the native one.
  private mutating func joined(
    _ native: LanguageException?, with managed: LanguageException
  ) -> LanguageException {
    guard var native else { return managed }
    guard managed.hasFrames || native.frames.isEmpty else {
      native.inner.insert(managed, at: 0)
      return native
    }
    var managed = managed
    if native.type != managed.type { keepTag(.exceptionNative, native.type) }
    if managed.message == nil { managed.message = native.message }
    // The system's reason remains searchable.
    if let message = native.message { report.reason.message = message.cutMessage }
    let title = [native.type, native.message?.cutMessage].compactMap(\.self)
    report.otherStacks.append(
      NamedStack(
        title: "native exception " + title.joined(separator: ": "), frames: native.frames))
    return managed
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
    // The order of a map is arbitrary.
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

extension LanguageException {
  /// Whether it or one of its causes has a stack.
  fileprivate var hasFrames: Bool { !frames.isEmpty || inner.contains { $0.hasFrames } }
}
