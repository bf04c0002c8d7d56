"""Validates JSON against the part of JSON Schema that docs/schema/ uses; a word it does not know is an error."""
import re

NOTES = {'$schema', '$defs', 'title', 'description'}
KINDS = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'integer': int, 'number': (int, float),
         'null': type(None)}


def is_kind(value, kind):
    return isinstance(value, KINDS[kind]) and (kind == 'boolean' or not isinstance(value, bool))


def is_number(value):
    return is_kind(value, 'number')


def unmet(value, word, rule, schema, root):
    """Whether `value` breaks the rule of one word of a schema."""
    def fails(part, inner):
        return bool(problems(part, inner, root))

    objects = isinstance(value, dict)
    lists = isinstance(value, list)
    checks = {
        '$ref': lambda: fails(value, root['$defs'][rule.removeprefix('#/$defs/')]),
        'type': lambda: not is_kind(value, rule),
        'const': lambda: value != rule,
        'enum': lambda: value not in rule,
        'pattern': lambda: isinstance(value, str) and not re.search(rule, value),
        'minimum': lambda: is_number(value) and value < rule,
        'maximum': lambda: is_number(value) and value > rule,
        'exclusiveMinimum': lambda: is_number(value) and value <= rule,
        'exclusiveMaximum': lambda: is_number(value) and value >= rule,
        'minItems': lambda: lists and len(value) < rule,
        'maxItems': lambda: lists and len(value) > rule,
        'items': lambda: lists and any(fails(part, rule) for part in value),
        'prefixItems': lambda: lists and any(fails(part, inner) for part, inner in zip(value, rule)),
        'required': lambda: objects and any(name not in value for name in rule),
        'dependentRequired': lambda: objects and any(name in value and other not in value
                                                     for name, others in rule.items() for other in others),
        'properties': lambda: objects and any(fails(value[name], inner)
                                              for name, inner in rule.items() if name in value),
        'additionalProperties': lambda: objects and any(
            rule is False or fails(value[name], rule) for name in set(value) - set(schema.get('properties', {}))),
        'anyOf': lambda: all(fails(value, inner) for inner in rule),
        'oneOf': lambda: sum(not fails(value, inner) for inner in rule) != 1,
    }
    return checks[word]()


def problems(value, schema, root):
    """The words of the schema that the value does not meet."""
    return [word for word, rule in schema.items()
            if word not in NOTES and unmet(value, word, rule, schema, root)]
