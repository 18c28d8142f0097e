/// The template parameters that `T_` can mean, innermost encoding first.
///
/// Level 0 holds the arguments of the innermost template of the encoding; the template parameters of
/// lambdas and of template template parameters are levels above it.
struct ItaniumTemplateScopes: ~Copyable {
  struct Level {
    var start: Int
    /// `nil` for the level of a lambda whose parameters are all `auto`.
    var count: Int?
  }

  /// Where an encoding's levels begin.
  struct Mark {
    let outer: Int
    let levels: Int
    let parameters: Int
  }

  private var levels = NodeArray<Level>(capacity: 4)
  private var parameters = NodeArray<ItaniumNode.ID>(capacity: 16)
  /// The levels before this one belong to an enclosing encoding.
  private var base = 0

  /// How many levels can be seen.
  var count: Int { levels.count - base }

  /// Hides the levels of the enclosing encoding.
  mutating func begin() -> Mark {
    let mark = Mark(outer: base, levels: levels.count, parameters: parameters.count)
    base = levels.count
    return mark
  }

  mutating func end(_ mark: Mark) {
    base = mark.outer
    levels.cut(to: mark.levels)
    parameters.cut(to: mark.parameters)
  }

  /// Starts level 0 anew.
  mutating func restart() {
    if levels.count > base {
      parameters.cut(to: levels[base].start)
      levels.cut(to: base)
    }
    push()
  }

  mutating func push() { levels.append(Level(start: parameters.count, count: 0)) }

  mutating func pushUnknown() { levels.append(Level(start: parameters.count, count: nil)) }

  /// Removes the levels from `count` on.
  mutating func cut(to count: Int) {
    guard self.count > count else { return }
    parameters.cut(to: levels[base + count].start)
    levels.cut(to: base + count)
  }

  /// Adds a parameter to the last level.
  mutating func append(_ id: ItaniumNode.ID) {
    parameters.append(id)
    levels[levels.count - 1].count? += 1
  }

  func parameter(level: Int, index: Int) -> ItaniumNode.ID? {
    guard level < count, let known = levels[base + level].count, index < known else { return nil }
    return parameters[levels[base + level].start + index]
  }
}
