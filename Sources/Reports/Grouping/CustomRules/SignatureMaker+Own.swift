internal import CrashModel

extension SignatureMaker {
  /// Changes the frames of a stack by the custom rules.
  ///
  /// - Returns: The result of the rules for the report and for each frame.
  func apply(
    _ own: CustomRules, to frames: inout [ClassifiedFrame], of stack: ArraySlice<Frame>,
    _ facts: RuleContext, _ images: inout ImageOwners
  ) -> CustomRuleMatch {
    let seen = frames.map { self.facts($0, stack[stack.startIndex + $0.index], &images) }
    let verdict = CustomRuleMatch(own, facts, seen)
    for (index, said) in verdict.frames {
      if let mark = said.isApp {
        let position = frames[index].index
        frames[index] = classifier.classify(
          stack, position, isMarked: mark.value, images: &images)
      }
      frames[index].apply(said, keeping: images.parts)
    }
    return verdict
  }

  private func facts(
    _ found: ClassifiedFrame, _ frame: Frame, _ images: inout ImageOwners
  ) -> FrameRuleContext {
    var functions: [NameBytes] = []
    if found.isNamed {
      functions = [NameBytes(found.token.utf8), NameBytes(found.spelling.subject.utf8)]
    }
    var modules: [NameBytes] = []
    if let index = frame.image, images.images.indices.contains(index) {
      let image = images.images[index]
      modules = [ImageOwners.normalise(image.name)]
      for name in [image.name, image.path ?? ""] where !name.isEmpty {
        modules.append(NameBytes(name.utf8.prefix(SigningLimits.nameBytes)))
      }
    }
    var files: [NameBytes] = []
    if let file = frame.file {
      let path = NameBytes(file.utf8.prefix(SigningLimits.nameBytes))
      let slash = path.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
      files = [path] + (slash.map { [path.from($0 + 1)] } ?? [])
    }
    return FrameRuleContext(
      functions: functions, modules: modules, files: files,
      inApp: frame.inApp ?? isOwn(frame, found, &images))
  }
}

extension ClassifiedFrame {
  /// Applies the rules' result for it.
  fileprivate mutating func apply(_ said: CustomRuleMatch.OfFrame, keeping parts: KeptParts) {
    if let name = said.name { rename(name.value, keeping: parts) }
    if let given = said.frameClass {
      // A frame of the app that lacks symbols ends the walk by its location.
      if given.value != .app { dropLocation() }
      if !isLocated { frameClass = given.value }
    }
    if let drops = said.dropsAbove { dropsAbove = drops.value }
    dropsBelow = said.dropsBelow != nil
    extends = said.extends != nil
    stops = said.stops != nil
    if let rule = said.rule { ruleName = RuleName(rule) }
  }
}
