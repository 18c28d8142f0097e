internal import HTTP
internal import Rendering
internal import ServerCore

/// A form that was not accepted, and is shown again with what was typed.
struct RefusedForm {
  /// Where it was sent, without a query.
  let action: String
  let fields: QueryItems
  /// Why it was not accepted, and what to do.
  let message: String

  /// - Parameter path: The address of a form, percent-encoded.
  func isSent(to path: String) -> Bool { action == path }
}

extension PageCall {
  /// The text of a form's field: what was typed if the form was refused, otherwise `text`.
  ///
  /// - Parameter action: The address of the form.
  func typed(_ name: String, in action: String, else text: String = "") -> HTML {
    guard let refused, refused.isSent(to: action) else { return HTML(edited: text) }
    return HTML(edited: refused.fields[name] ?? "")
  }

  /// The mark of a chosen option or box: what was chosen if the form was refused, otherwise by `isChosen`.
  ///
  /// - Parameter mark: ` selected` or ` checked`.
  func mark(
    _ mark: HTML, _ name: String, _ value: String, in action: String, else isChosen: Bool
  ) -> HTML {
    guard let refused, refused.isSent(to: action) else { return isChosen ? mark : .none }
    return refused.fields.values(of: name).contains(value) ? mark : .none
  }

  /// The attribute of the menu of a form, which is open if the form was refused.
  func open(_ action: String) -> HTML {
    refused.map { $0.isSent(to: action) } == true ? " open" : .none
  }

  /// The text above a page whose form was refused.
  var refusal: HTML {
    guard let refused else { return .none }
    let lines = refused.message.split(separator: "\n").map { "\(String($0))\n" as HTML }
    return "<p class=\"message mono\" role=\"alert\">\(lines)</p>\n"
  }
}
