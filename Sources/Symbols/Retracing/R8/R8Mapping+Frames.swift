internal import Bytes

extension R8Mapping {
  /// Inlined calls of one place; real ones are some dozen.
  private static let mostInlined = 500
  /// Methods that are named besides the chosen one.
  private static let mostOthers = 8
  /// Lines of a method that are looked at for a call without a line.
  static let mostCandidates = 10_000

  /// What a call is in the source.
  ///
  /// - Parameters:
  ///   - outlineLine: Of the call before it on the stack, where that is an outline.
  ///   - thrown: The names of the exception that was thrown right here, in the app and in the source.
  ///   - steps: How much may still be looked at; it falls to 0 for mappings that mean harm.
  /// - Returns: `nil` where the mapping does not know the class.
  /// - Complexity: O(log n) in the mapping once a class was read, plus what is found.
  public func retrace(
    _ call: R8Call, outlineLine: Int? = nil, thrown: [String] = [], steps: inout Int
  ) -> R8Answer? {
    guard let known = openClass(obfuscated: call.className) else { return outer(of: call) }
    let name = ByteView(call.method.utf8)
    let range = known.members(withHash: hash(name))
    guard !range.isEmpty, steps > 0,
      memberLine(known.members[range.lowerBound]).map({ isSame($0.obfuscated, name) }) == true
    else { return R8Answer([classOnly(call, known)]) }
    var line = call.line
    var groups = known.groups(in: range, at: line, steps: &steps)
    var isOfOutline = false
    if let outlineLine, let moved = known.callsite(in: groups, of: outlineLine) {
      line = moved
      isOfOutline = true
      groups = known.groups(in: range, at: moved, steps: &steps)
    }
    guard let group = groups.first else { return R8Answer([classOnly(call, known)]) }
    var answer = frames(of: group, line, call, known, thrown)
    answer.isOfOutline = isOfOutline
    if groups.count > 1 { disambiguate(&answer, groups, line, call, known) }
    return answer
  }

  /// A class that the system makes while the app runs is named after one of the mapping.
  private func outer(of call: R8Call) -> R8Answer? {
    guard let mark = call.className.firstRange(of: "$$Lambda"),
      let name = className(String(call.className[..<mark.lowerBound]))
    else { return nil }
    return R8Answer([
      R8Frame(
        className: name + call.className[mark.lowerBound...], method: call.method,
        file: call.file, line: call.line)
    ])
  }

  private func classOnly(_ call: R8Call, _ known: R8Class) -> R8Frame {
    R8Frame(
      className: known.original, method: call.method, file: file(of: known.original, call, known),
      line: call.line)
  }

  /// The chain of one group, without what R8 made.
  private func frames(
    of group: [R8Class.Member], _ line: Int?, _ call: R8Call, _ known: R8Class, _ thrown: [String]
  ) -> R8Answer {
    var removed = 0
    var answer = R8Answer([])
    var members = group[...]
    for member in group {
      for note in known.notes(of: member) {
        switch note {
        case .rewrite(let rewrite) where rewrite.holds(for: thrown):
          removed = max(removed, rewrite.removed)
        case .outline: answer.isOutline = true
        default: continue
        }
      }
    }
    members = members.dropFirst(removed)
    if members.count > Self.mostInlined, let last = members.last {
      members = members.prefix(Self.mostInlined - 1) + [last]
      answer.isCut = true
    }
    for member in members where !known.isSynthesized(member) {
      if let frame = frame(member, line, call, known) { answer.frames.append(frame) }
    }
    return answer
  }

  private func frame(
    _ member: R8Class.Member, _ line: Int?, _ call: R8Call, _ known: R8Class
  ) -> R8Frame? {
    guard let text = memberLine(member) else { return nil }
    let name = text.originalClass.map { string($0) } ?? known.original
    return R8Frame(
      className: name, method: string(text.method), file: file(of: name, call, known),
      line: text.sourceLine(for: line))
  }

  /// Where several methods are possible, the first of the mapping is taken, and the others are named.
  /// Without a line, no inlined calls are known.
  private func disambiguate(
    _ answer: inout R8Answer, _ groups: [[R8Class.Member]], _ line: Int?, _ call: R8Call,
    _ known: R8Class
  ) {
    let outermost = groups.compactMap { $0.last }.filter { !known.isSynthesized($0) }
      .compactMap { frame($0, line, call, known) }
    guard var chosen = outermost.first else { return }
    if groups[0].first?.hasLines == true, line == nil {
      if outermost.contains(where: { $0.line != chosen.line || $0.name != chosen.name }) {
        chosen.line = nil
      }
      answer.frames = [chosen]
    }
    var names: Set<String> = [chosen.name]
    for other in outermost where names.insert(other.name).inserted {
      guard answer.others.count < Self.mostOthers else { return }
      answer.others.append(other.name)
    }
  }

  // MARK: Files

  /// The file that a class stands in: by the mapping, else by the class's name.
  private func file(of name: String, _ call: R8Call, _ known: R8Class) -> String? {
    let isOwn = name == known.original
    let file = isOwn ? known.sourceFile : sourceFile(ofOriginal: name)
    if let file, file != "R8$$SyntheticClass" { return file }
    if isOwn, call.hasKnownFile, call.className == name { return call.file }
    return Self.guessedFile(of: name, call)
  }

  /// `Desk.java` for `app.tern.Desk$Till`, `Desk.kt` for `app.tern.DeskKt`.
  ///
  /// Source: `RetraceUtils.inferSourceFile` of R8.
  static func guessedFile(of className: String, _ call: R8Call) -> String {
    let name = className.split(separator: ".").last ?? className[...]
    var outer = name
    if let dollar = name.utf8.firstIndex(of: UInt8(ascii: "$")), dollar > name.startIndex {
      outer = name[..<dollar]
    }
    let printed = call.hasKnownFile ? call.file ?? "" : ""
    let ending = printed.lastIndex(of: ".").map { printed[printed.index(after: $0)...] } ?? ""
    if outer.hasSuffix("Kt"), outer.utf8.count > 2, ending.isEmpty || ending == "kt" {
      return outer.dropLast(2) + ".kt"
    }
    return outer + (ending == "kt" ? ".kt" : ".java")
  }
}

extension R8Class {
  func isSynthesized(_ member: Member) -> Bool {
    notes(of: member).contains { if case .synthesized = $0 { true } else { false } }
  }

  /// The line of a method to which code belongs that an outline stands for.
  fileprivate func callsite(in groups: [[Member]], of line: Int) -> Int? {
    for member in groups.joined() {
      for case .outlineCallsite(let lines) in notes(of: member) {
        if let target = lines[line] { return target }
      }
    }
    return nil
  }

  /// The members of a name that a call may be: those that print its line, else those without lines. What
  /// stands together in the mapping for the same lines is one chain of inlined calls.
  fileprivate func groups(in range: Range<Int>, at line: Int?, steps: inout Int) -> [[Member]] {
    let withLines = range.lowerBound + members[range].prefix { !$0.hasLines }.count
    var found: [Member] = []
    if let line, line <= Int32.max {
      found = covering(Int32(line), in: withLines..<range.upperBound, steps: &steps)
    }
    if found.isEmpty, withLines > range.lowerBound {
      return members[range.lowerBound..<withLines].prefix(R8Mapping.mostCandidates).map { [$0] }
    }
    if found.isEmpty, line == nil {
      found = covering(0, in: withLines..<range.upperBound, steps: &steps)
      if found.isEmpty {
        steps -= range.count
        found = members[range].sorted { $0.order < $1.order }
        found = Array(found.prefix(R8Mapping.mostCandidates))
      }
    }
    var groups: [[Member]] = []
    for member in found {
      if let last = groups.last?.last, last.order + 1 == member.order, last.first == member.first,
        last.last == member.last
      {
        groups[groups.count - 1].append(member)
      } else {
        groups.append([member])
      }
    }
    return groups
  }

  /// Those that print a line, in the order of the file.
  private func covering(_ line: Int32, in range: Range<Int>, steps: inout Int) -> [Member] {
    var index = members[range].lowerBound { $0.first <= line }
    var found: [Member] = []
    while index > range.lowerBound, members[index - 1].reach >= line, steps > 0 {
      index -= 1
      steps -= 1
      if members[index].last >= line { found.append(members[index]) }
    }
    return found.sorted { $0.order < $1.order }
  }
}
