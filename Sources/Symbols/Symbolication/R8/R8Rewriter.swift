internal import CrashModel
internal import Retracing

/// Puts the names of mappings into one report.
struct R8Rewriter {
  /// Damage and guesses, a sentence each.
  private(set) var notes: [String] = []
  private let choice: R8MappingSelection
  private var answers: [Key: R8Answer?] = [:]
  /// How much may still be looked at in the mappings.
  private var steps = 50_000_000
  /// How many inlined calls may still be added.
  private var inlined = 250_000

  private struct Key: Hashable {
    let image: Int
    let call: R8Call
  }

  private static let mostNotes = 16

  init(_ choice: R8MappingSelection) { self.choice = choice }

  mutating func retrace(_ report: inout CrashReport) {
    let own = report.reason.exception.map { $0.frames.isEmpty ? $0.type : nil } ?? nil
    for index in report.threads.indices {
      let thrown = report.threads[index].crashed ? names(of: own) : []
      report.threads[index].frames = retraced(report.threads[index].frames, thrown)
    }
    for index in report.otherStacks.indices {
      let stack = report.otherStacks[index]
      report.otherStacks[index].title = text(stack.title)
      let type = stack.title.split(separator: " ").first { $0.contains(".") }
      report.otherStacks[index].frames = retraced(
        stack.frames, names(of: type.map { String($0.prefix { $0 != ":" }) }))
    }
    if let exception = report.reason.exception {
      if report.reason.type == exception.type { report.reason.type = type(exception.type) }
      report.reason.exception = retraced(exception)
    }
    report.reason.message = report.reason.message.map { text($0) }
  }

  private mutating func retraced(_ exception: LanguageException) -> LanguageException {
    var exception = exception
    exception.frames = retraced(exception.frames, names(of: exception.type))
    exception.type = type(exception.type)
    exception.message = exception.message.map { text($0) }
    exception.inner = exception.inner.map { retraced($0) }
    return exception
  }

  // MARK: Names

  private func type(_ name: String?) -> String? {
    name.map { choice.main?.mapping?.className($0) ?? $0 }
  }

  private func text(_ text: String) -> String {
    choice.main?.mapping?.retrace(text: text) ?? text
  }

  /// An exception's class in the app and in the source.
  private func names(of type: String?) -> [String] {
    [type, self.type(type)].compactMap(\.self)
  }

  // MARK: Stacks

  /// - Parameter thrown: The names of the exception that the first call threw.
  private mutating func retraced(_ frames: [Frame], _ thrown: [String]) -> [Frame] {
    var result: [Frame] = []
    result.reserveCapacity(frames.count)
    // An outline and its frames, which stay where no call wants its line.
    var outline: (line: Int?, frames: [Frame])?
    for (position, frame) in frames.enumerated() {
      guard let mapping = choice.mapping(for: frame),
        let call = R8Call(managed: frame, in: choice.java)
      else {
        result += outline?.frames ?? []
        outline = nil
        result.append(frame)
        continue
      }
      let answer = answer(
        call, mapping, outlineLine: outline?.line, thrown: position == 0 ? thrown : [])
      if answer?.isOfOutline != true { result += outline?.frames ?? [] }
      outline = nil
      let new = self.frames(for: answer, of: frame, call, mapping)
      if answer?.isOutline == true {
        outline = (call.line, new)
      } else {
        result += new
      }
    }
    result += outline?.frames ?? []
    return result.isEmpty ? frames : result
  }

  private mutating func answer(
    _ call: R8Call, _ mapping: R8MappingSelection.Mapping, outlineLine: Int?, thrown: [String]
  ) -> R8Answer? {
    guard let text = mapping.mapping else { return nil }
    let key = Key(image: mapping.image, call: call)
    let isPlain = outlineLine == nil && thrown.isEmpty
    if isPlain, let known = answers[key] { return known }
    let had = steps > 0
    let answer = text.retrace(call, outlineLine: outlineLine, thrown: thrown, steps: &steps)
    if had, steps <= 0 { note("the mapping is too intricate: some calls keep the app's names") }
    if isPlain { answers[key] = .some(answer) }
    if let answer { explain(answer, call) }
    return answer
  }

  private mutating func explain(_ answer: R8Answer, _ call: R8Call) {
    if let last = answer.frames.last, !answer.others.isEmpty {
      let others = answer.others.joined(separator: ", ")
      note("\(call.className).\(call.method) is taken for \(last.name), and may be \(others)")
    }
    if answer.isCut { note("inlined calls of \(call.className).\(call.method) were left out") }
  }

  private mutating func note(_ text: String) {
    guard notes.count < Self.mostNotes, !notes.contains(text) else { return }
    notes.append(text)
  }

  /// A frame as the source has it.
  private mutating func frames(
    for answer: R8Answer?, of frame: Frame, _ call: R8Call, _ mapping: R8MappingSelection.Mapping
  ) -> [Frame] {
    var frame = frame
    guard let answer else {
      // Without a mapping, the frames that need one wait for it.
      if mapping.mapping == nil, !call.isOfSystem, frame.image == nil {
        frame.image = mapping.image
      }
      return [frame]
    }
    if frame.image == nil { frame.image = mapping.image }
    var sources = answer.frames[...]
    if sources.count - 1 > inlined { sources = sources.suffix(1) }
    inlined -= max(sources.count - 1, 0)
    return sources.enumerated().map { index, source in
      let isOutermost = index == sources.count - 1
      var new = frame
      new.function = source.name
      if source.name != frame.function {
        new.symbol = frame.symbol ?? frame.function
        // Whoever decided knew the shortened name.
        if frame.inApp == false { new.inApp = nil }
      }
      new.file = source.file
      new.line = source.line
      new.column = nil
      new.inlined = !isOutermost
      new.trust = isOutermost ? frame.trust : .inline
      if !isOutermost { new.registers = [] }
      return new
    }
  }
}
