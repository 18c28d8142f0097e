package import CrashModel
internal import CrashService

extension SourceExcerpt {
  /// Returns the lines with their numbers and a mark on the given line, in llvm-symbolizer's format:
  ///
  ///     11  : int main() {
  ///     12 >:   return twice(3);
  ///
  /// - Parameter clean: Applied to each line.
  package func numbered(marking line: Int, _ clean: (String) -> String) -> String {
    let width = String(first + lines.count - 1).count
    var text = ""
    for (index, content) in lines.enumerated() {
      let number = String(first + index)
      text += String(repeating: " ", count: width - number.count) + number
      text += (first + index == line ? " >: " : "  : ") + clean(content) + "\n"
    }
    return text
  }
}
