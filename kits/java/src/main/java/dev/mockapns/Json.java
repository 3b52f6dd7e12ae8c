package dev.mockapns;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value in JSON, such as the payload of a push. What is not there is null. */
public final class Json {
    private final Object value;

    Json(Object value) { this.value = value; }

    /** A member of an object. */
    public Json get(String name) { return new Json(value instanceof Map<?, ?> members ? members.get(name) : null); }

    /** The elements of an array; none for any other value. */
    public List<Json> list() { return value instanceof List<?> elements ? elements.stream().<Json>map(Json::new).toList() : List.of(); }

    /** A string; null for any other value. */
    public String text() { return value instanceof String text ? text : null; }

    /** A number; 0 for any other value. */
    public BigDecimal number() { return value instanceof BigDecimal number ? number : BigDecimal.ZERO; }

    /** A whole number that is not too large; 0 for any other value. */
    int count() { return number().intValue(); }

    /** A Map, a List, a String, a BigDecimal, a Boolean or null. */
    public Object value() { return value; }

    /** The value as JSON. */
    @Override public String toString() { return write(value); }

    /** Writes what {@link #value} may be; any other value as its text. */
    static String write(Object value) {
        StringBuilder text = new StringBuilder();
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> text.append(text.isEmpty() ? "" : ",").append(write("" + name)).append(':').append(write(member)));
            return "{" + text + "}";
        } else if (value instanceof List<?> elements) {
            elements.forEach(element -> text.append(text.isEmpty() ? "" : ",").append(write(element)));
            return "[" + text + "]";
        } else if (value == null || value instanceof Number || value instanceof Boolean || value instanceof Json) {
            return "" + value;
        }
        value.toString().chars().forEach(unit -> {
            if (unit < ' ' || unit == '"' || unit == '\\') text.append("\\u%04x".formatted(unit));
            else text.append((char) unit);
        });
        return '"' + text.toString() + '"';
    }

    /** Reads a text in JSON; null if it is none. */
    static Json read(String text) {
        try {
            Reader reader = new Reader(text);
            Object value = reader.value();
            return reader.next() == '\0' ? new Json(value) : new Json(null);
        } catch (RuntimeException noJson) { // of a number, or beyond the end
            return new Json(null);
        }
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) { this.text = text; }

        /** The next character that is no space; it is not read yet. */
        char next() {
            while (at < text.length() && text.charAt(at) <= ' ') at++;
            return at < text.length() ? text.charAt(at) : '\0';
        }

        boolean skip(char expected) {
            if (next() != expected) return false;
            at++;
            return true;
        }

        void need(char expected) {
            if (!skip(expected)) throw new IllegalArgumentException();
        }

        Object value() {
            if (skip('{')) {
                Map<String, Object> members = new LinkedHashMap<>();
                for (boolean isMore = !skip('}'); isMore; isMore = !skip('}')) {
                    if (!members.isEmpty()) need(',');
                    String name = string();
                    need(':');
                    members.put(name, value());
                }
                return members;
            } else if (skip('[')) {
                List<Object> elements = new ArrayList<>();
                for (boolean isMore = !skip(']'); isMore; isMore = !skip(']')) {
                    if (!elements.isEmpty()) need(',');
                    elements.add(value());
                }
                return elements;
            } else if (next() == '"') {
                return string();
            }
            int start = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> word.equals("true");
                default -> new BigDecimal(word);
            };
        }

        String string() {
            need('"');
            StringBuilder string = new StringBuilder();
            for (char unit = text.charAt(at++); unit != '"'; unit = text.charAt(at++)) {
                if (unit == '\\') {
                    unit = text.charAt(at++);
                    int escape = "bfnrt".indexOf(unit);
                    if (escape >= 0) unit = "\b\f\n\r\t".charAt(escape);
                    else if (unit == 'u') unit = (char) Integer.parseInt(text.substring(at, at += 4), 16);
                }
                string.append(unit);
            }
            return string.toString();
        }
    }
}
