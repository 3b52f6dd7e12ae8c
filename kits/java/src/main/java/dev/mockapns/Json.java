package dev.mockapns;

import java.math.BigDecimal;
import java.util.*;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A value in JSON, such as the payload of a push. What is not there is null.
 *
 * @param value a Map, a List, a String, a BigDecimal, a Boolean or null
 */
public record Json(Object value) {
    private static final Pattern SPECIAL = Pattern.compile("[\\x00-\\x1f\"\\\\]");

    /** A member of an object; with several names, a member of that member. */
    public Json get(String... names) {
        Object inner = value;
        for (String name : names) inner = inner instanceof Map<?, ?> members ? members.get(name) : null;
        return new Json(inner);
    }

    /** The elements of an array; none for any other value. */
    public List<Json> list() { return list(element -> element); }

    <Element> List<Element> list(Function<Json, Element> of) {
        return value instanceof List<?> elements ? elements.stream().map(Json::new).map(of).toList() : List.of();
    }

    /** A string; null for any other value. */
    public String text() { return value instanceof String text ? text : null; }

    /** A number; 0 for any other value. */
    public BigDecimal number() { return value instanceof BigDecimal number ? number : BigDecimal.ZERO; }

    /** A whole number that is not too large; 0 for any other value. */
    int count() { return number().intValue(); }

    /** The value as JSON. */
    @Override public String toString() { return write(value); }

    /** Writes what {@link #value} may be; any other value as its text. */
    static String write(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream().map(one -> write("" + one.getKey()) + ":" + write(one.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        } else if (value instanceof List<?> elements) {
            return elements.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        } else if (value == null || value instanceof Number || value instanceof Boolean || value instanceof Json) {
            return "" + value;
        }
        return '"' + SPECIAL.matcher("" + value)
            .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0))) + '"';
    }

    /** Reads a text in JSON; null if it is none. */
    static Json read(String text) {
        try {
            Reader reader = new Reader(text);
            Object value = reader.value();
            return new Json(reader.next() == '\0' ? value : null);
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

        void need(char expected) {
            if (next() != expected) throw new IllegalArgumentException();
            at++;
        }

        /** Reads what is between two brackets, with commas. */
        <Items> Items items(char begin, char end, Items items, Runnable one) {
            need(begin);
            for (boolean isFirst = true; next() != end; isFirst = false) {
                if (!isFirst) need(',');
                one.run();
            }
            need(end);
            return items;
        }

        Object value() {
            Map<String, Object> members = new LinkedHashMap<>();
            List<Object> elements = new ArrayList<>();
            return switch (next()) {
                case '{' -> items('{', '}', members, () -> {
                    String name = string();
                    need(':');
                    members.put(name, value());
                });
                case '[' -> items('[', ']', elements, () -> elements.add(value()));
                case '"' -> string();
                default -> word();
            };
        }

        private Object word() {
            int start = at;
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> word.equals("true");
                default -> new BigDecimal(word);
            };
        }

        private String string() {
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
