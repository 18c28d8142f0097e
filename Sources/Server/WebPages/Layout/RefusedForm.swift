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
  /// The page with a form that was refused: it shows what was typed, and why it was refused.
  ///
  /// - Parameters:
  ///   - action: The address of the form; empty for one whose page reads what was typed from its own address.
  ///   - hint: A further line of the message.
  func refusing(
    _ error: any Error, from action: String = "", _ fields: QueryItems = QueryItems(),
    hint: String? = nil, _ page: (PageCall) throws -> Response
  ) rethrows -> Response {
    let (message, kind) = FailureText.describe(error, namesCommands: false)
    var call = self
    call.refused = RefusedForm(
      action: action, fields: fields, message: message + (hint.map { "\n" + $0 } ?? ""))
    var response = try page(call)
    response.status = PageSite.status(of: kind)
    return response
  }

  /// The fields of a form that was refused; `nil` if it was not.
  ///
  /// - Parameter action: The address of the form.
  func fields(ofRefused action: String) -> QueryItems? {
    refused.flatMap { $0.isSent(to: action) ? $0.fields : nil }
  }

  /// The text of a form's field: what was typed if the form was refused, otherwise `text`.
  ///
  /// - Parameter action: The address of the form.
  func typed(_ name: String, in action: String, else text: String = "") -> HTML {
    guard let fields = fields(ofRefused: action) else { return HTML(edited: text) }
    return HTML(edited: fields[name] ?? "")
  }

  /// The mark of a chosen option or box: what was chosen if the form was refused, otherwise by `isChosen`.
  ///
  /// - Parameter mark: ` selected` or ` checked`.
  func mark(
    _ mark: HTML, _ name: String, _ value: String, in action: String, else isChosen: Bool
  ) -> HTML {
    guard let fields = fields(ofRefused: action) else { return isChosen ? mark : .none }
    return fields.values(of: name).contains(value) ? mark : .none
  }

  /// The attribute of the menu of a form, which is open if the form was refused.
  func open(_ action: String) -> HTML {
    fields(ofRefused: action) == nil ? .none : " open"
  }

  /// The text above a page whose form was refused.
  var refusal: HTML {
    guard let refused else { return .none }
    let lines = refused.message.split(separator: "\n").map { "\(String($0))\n" as HTML }
    return "<p class=\"message mono\" role=\"alert\">\(lines)</p>\n"
  }
}
