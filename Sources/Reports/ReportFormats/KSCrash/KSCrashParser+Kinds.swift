internal import CrashModel
internal import JSON

/// Reports of KSCrash 2.5 and later other than crashes: hangs, watchdog timeouts and profiles.
extension KSCrashParser {
  /// `exit_reason`, the code with which the system ended the process, and `hang`, the time for which the main
  /// thread did not respond.
  mutating func readExit(_ error: JSONValue) {
    if let hang = error.member("hang"), hang.object != nil {
      if report.kind == .crash || report.kind == .handled { report.kind = .hang }
      let start = hang.address("hang_start_nanos") ?? 0
      let end = hang.address("hang_end_nanos") ?? 0
      if report.reason.message == nil, end > start, start > 0 {
        let tenths = (end - start) / 100_000_000
        report.reason.message = "The app hung for \(tenths / 10).\(tenths % 10) s"
      }
      let role = hang.text("hang_end_role") ?? hang.text("hang_start_role")
      if let role, report.tags[.processRole] == nil {
        report.tags[.processRole] = role.lowercased().hasPrefix("foreground") ? "Foreground" : role
      }
    }
    guard let exit = error.member("exit_reason"), let code = exit.address("code"), code > 0 else {
      return
    }
    report.tags[.terminationCode] = "0x" + String(code, radix: 16)
    if let namespace = exit.text("namespace") { report.tags[.terminationNamespace] = namespace }
    if report.reason.code == nil { report.reason.code = "0x" + String(code, radix: 16) }
    // Apple's code of its watchdog.
    if code == 0x8bad_f00d { report.kind = .hang }
  }

  /// Reads a sampling profile, which is not about a crash; its stack is the one with the most samples.
  mutating func readProfile(_ profile: JSONValue?) {
    report.kind = .other
    report.reason = CrashReason(type: "profile", message: profile?.text("name"))
    guard let profile else { return }
    let frames = profile.list("frames")
    var counts: [[Int]: Int] = [:]
    var samples = 0
    let all = profile.list("samples")
    for sample in all.prefix(Self.samples) {
      let stack = sample.list("frames").prefix(FormatLimits.framesPerStack).compactMap(\.number)
        .filter { frames.indices.contains($0) }
      guard !stack.isEmpty else { continue }
      samples += 1
      counts[stack, default: 0] += 1
    }
    let heaviest = counts.max {
      ($0.value, $0.key.count, $1.key.first ?? 0) < ($1.value, $1.key.count, $0.key.first ?? 0)
    }
    guard let heaviest else {
      return note(
        all.isEmpty
          ? "the profile has no samples" : "the samples name frames that the profile does not have")
    }
    var thread = CrashThread(index: 0, name: "heaviest stack", crashed: true)
    // The sampler looks each address up inside its call.
    thread.frames = self.frames(heaviest.key.map { frames[$0] }, first: .adjusted)
    report.threads = [thread]
    note("the stack is that of \(heaviest.value) of \(samples) samples")
  }

  private static let samples = 65_536

  /// If no thread is marked as crashed, chooses the one that has code of the app.
  mutating func chooseThread() {
    let own = report.threads.indices.filter { index in
      report.threads[index].frames.contains { isOwn($0) }
    }
    // A thread that is in the app's code rather than in a system call.
    let youngest = own.filter { report.threads[$0].frames.first.map { isOwn($0) } ?? false }
    let chosen = youngest.count == 1 ? youngest.first : own.count == 1 ? own.first : nil
    guard let chosen else {
      return note("no thread is marked as crashed, and several may be the one")
    }
    report.crashedThread = chosen
    report.threads[chosen].crashed = true
    note("no thread is marked as crashed; the one with code of the app is taken for it")
  }

  /// Whether a frame lies in the app's bundle.
  private func isOwn(_ frame: Frame) -> Bool {
    guard let index = frame.image, report.images.indices.contains(index),
      let path = report.images[index].path
    else { return false }
    if path == report.process.path { return true }
    guard let program = report.process.path?.utf8, let slash = program.lastIndex(of: 47) else {
      return false
    }
    return path.utf8.starts(with: program[...slash])
  }
}
